/* SPDX-License-Identifier: MIT */
/* Changes of other processes that share the store. They are reported on any thread, and told on the server's.
 */
#include "keeper.h"

/* With the lock held: has the first loop look at what was heard. */
static void hand_over(mcpw_task_keeper *keeper) {
    mcpw_task_loop *loop = keeper->loops;
    while (loop != NULL && loop->queue == NULL) {
        loop = loop->next;
    }
    if (loop != NULL && !loop->hears) {
        loop->hears = mcpw_session_hand_over(loop->inner, &loop->hearing);
    }
}

void mcpw_task_hear_elsewhere(mcpw_task_keeper *keeper) {
    if (keeper->heard.count != 0 || keeper->heard.all) {
        hand_over(keeper);
    }
}

void mcpw_task_hear(void *user, mcpw_str id) {
    mcpw_task_keeper *const keeper = user;
    mcpw_heard_tasks *const heard = &keeper->heard;
    mcpw_lock_take(keeper->lock);
    if (id.ptr == NULL || id.len != MCPW_TASK_ID_LEN || heard->count == MCPW_MOST_HEARD) {
        heard->all = heard->all || id.ptr == NULL || id.len == MCPW_TASK_ID_LEN;
    } else {
        memcpy(heard->ids[heard->count], id.ptr, id.len);
        heard->ids[heard->count++][id.len] = '\0';
    }
    hand_over(keeper);
    mcpw_lock_give(keeper->lock);
}

/* Tells the followers of a task that it has changed elsewhere. Its run in this process ends. */
static void tell(mcpw_task_keeper *keeper, const char *text) {
    const mcpw_str id = mcpw_str_from(text);
    mcpw_task_copy copy;
    mcpw_task_save(keeper, id);
    if (mcpw_task_live_find(keeper, id) == NULL) {
        return;
    }
    const mcpw_status status = mcpw_keeper_read(keeper, id, NULL, &copy);
    if (status == MCPW_OK) {
        if (mcpw_record_is_final(copy.record.status)) {
            mcpw_task_stop(keeper, id);
        }
        mcpw_task_changed(keeper, id, &copy.record);
    } else if (status == MCPW_E_NOT_FOUND) {
        mcpw_task_wake(keeper, id); /* it has expired */
    }
    mcpw_task_copy_free(&copy);
}

/* Tells of every task that this process has a part of. Their ids are copied, because each may end. */
static void tell_all(mcpw_task_keeper *keeper) {
    const size_t count = keeper->lives.count;
    const size_t size = count * (MCPW_TASK_ID_LEN + 1);
    char *const ids = size != 0 ? mcpw_resize(&keeper->config.allocator, NULL, 0, size) : NULL;
    size_t at = 0;
    for (size_t i = 0; ids != NULL && i < keeper->lives.bucket_count; i++) {
        for (const mcpw_task_live *live = keeper->lives.buckets[i]; live != NULL; live = live->in_bucket) {
            memcpy(ids + at++ * (MCPW_TASK_ID_LEN + 1), live->id, sizeof live->id);
        }
    }
    for (size_t i = 0; i < at; i++) {
        tell(keeper, ids + i * (MCPW_TASK_ID_LEN + 1));
    }
    (void)mcpw_resize(&keeper->config.allocator, ids, size, 0);
}

void mcpw_task_take_heard(mcpw_task_keeper *keeper) {
    mcpw_lock_take(keeper->lock);
    const mcpw_heard_tasks heard = keeper->heard;
    keeper->heard.count = 0;
    keeper->heard.all = false;
    mcpw_lock_give(keeper->lock);
    if (heard.all) {
        tell_all(keeper);
        mcpw_task_go_on(keeper);
        return;
    }
    for (size_t i = 0; i < heard.count; i++) {
        tell(keeper, heard.ids[i]);
    }
}

void mcpw_task_hear_job(mcpw_job *job) {
    mcpw_task_loop *const loop = MCPW_TASK_LOOP_OF(job, hearing);
    mcpw_task_keeper *const keeper = loop->keeper;
    mcpw_lock_take(keeper->lock);
    loop->hears = false;
    mcpw_lock_give(keeper->lock);
    mcpw_task_take_heard(keeper);
}

void mcpw_task_pump_alone(mcpw_task_keeper *keeper) {
    if (keeper->lock != NULL) {
        mcpw_task_take_heard(keeper);
    }
    for (mcpw_task_loop *loop = keeper->loops; loop != NULL; loop = loop->next) {
        if (loop->queue == NULL) {
            mcpw_task_pump(loop);
        }
    }
}
