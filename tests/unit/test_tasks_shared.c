/* SPDX-License-Identifier: MIT */
/* Stores that outlive their server, or that several processes share: played by one store, under two names. */
#include "tasks_world.h"

static world one;
static world two;

/* A view of a store under the name of another process. */
typedef struct view {
    mcpw_task_store base;
    mcpw_task_store *store;
    char worker[MCPW_TASK_ID_LEN + 1];
    const char *ended; /* the name of a process that has ended */
    void (*hear)(void *user, mcpw_str id);
    void *user;
    struct view *other;
    bool is_broken;
    bool breaks;    /* after the next entry */
    size_t at_once; /* entries of a list that there is time for; 0: all */
} view;

static mcpw_status create(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    view *const v = self;
    const mcpw_status status = v->is_broken ? MCPW_E_IO : v->store->create(v->store->self, entry, limits);
    v->is_broken = v->is_broken || v->breaks;
    return status;
}

typedef struct looking {
    const view *view;
    mcpw_take_task *take;
    void *user;
} looking;

static void look(void *user, const mcpw_task_entry *entry) {
    const looking *const l = user;
    mcpw_task_entry seen = *entry;
    seen.is_orphan = l->view->ended != NULL && mcpw_str_is(entry->worker, l->view->ended);
    l->take(l->user, &seen);
}

static mcpw_status read_entry(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    const view *const v = self;
    looking l = {v, take, user};
    return v->is_broken ? MCPW_E_IO : v->store->read(v->store->self, id, most, look, &l);
}

static mcpw_status replace(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    const view *const v = self;
    const mcpw_status status = v->is_broken ? MCPW_E_IO : v->store->replace(v->store->self, entry, limits);
    if (status == MCPW_OK && v->other != NULL && v->other->hear != NULL) {
        v->other->hear(v->other->user, entry->id);
    }
    return status;
}

static mcpw_status list(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user) {
    const view *const v = self;
    const size_t some = v->at_once != 0 && v->at_once < count ? v->at_once : count;
    const mcpw_status status =
        v->is_broken ? MCPW_E_IO : v->store->list(v->store->self, principal, after, some, most, take, user);
    return status == MCPW_OK && some < count ? MCPW_E_IO : status;
}

static mcpw_status remove_entry(void *self, mcpw_str id) {
    const view *const v = self;
    return v->store->remove(v->store->self, id);
}

static void follow(void *self, void (*hear)(void *user, mcpw_str id), void *user) {
    view *const v = self;
    v->hear = hear;
    v->user = user;
}

static view views[2];

static void open_views(mcpw_task_store *store) {
    for (int i = 0; i < 2; i++) {
        view *const v = views + i;
        *v = (view){.base = MCPW_TASK_STORE_INIT, .store = store, .other = views + 1 - i};
        (void)snprintf(v->worker, sizeof v->worker, "%032d", i + 1);
        v->base.self = v;
        v->base.worker = v->worker;
        v->base.create = create;
        v->base.read = read_entry;
        v->base.replace = replace;
        v->base.list = list;
        v->base.remove = remove_entry;
        v->base.follow = follow;
    }
}

static mcpw_task_store *new_store(void) {
    mcpw_task_memory_config config = MCPW_TASK_MEMORY_CONFIG_INIT;
    mcpw_error error;
    config.clock = world_time;
    config.user = &one;
    one.now = 1785240000000;
    return mcpw_task_memory_new(&config, &error);
}

static void open_world(world *w, int number) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.store = &views[number].base;
    config.lists = MCPW_ON;
    world_open_with(w, &config);
}

static mcpw_task_store *open_both(void) {
    mcpw_task_store *const store = new_store();
    open_views(store);
    open_world(&one, 0);
    open_world(&two, 1);
    return store;
}

static void close_both(mcpw_task_store *store) {
    world_close(&one);
    world_close(&two);
    mcpw_task_memory_free(store);
}

#define YES "'action':'accept','content':{'yes':true}"

static void any_process_answers_for_a_task(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    CHECK_HAS(get(there, id), "'status':'working'");
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("done here")) == MCPW_OK);
    CHECK_HAS(get(here, id), "done here");
    CHECK_HAS(get(there, id), "done here");
    client_free(here);
    client_free(there);
    close_both(store);
}

static void an_answer_that_was_kept_does_not_hide_the_end_of_a_worker(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    CHECK_HAS(get(there, id), "'status':'working'");
    views[1].ended = views[0].worker;
    CHECK_HAS(get(there, id), "'status':'failed'");
    client_free(here);
    client_free(there);
    close_both(store);
}

static void a_task_that_waits_for_input_goes_on_in_another_process(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "asks"));
    CHECK_HAS(ask(here, "tasks/update", with_id(id, "'inputResponses':{'one':{" YES "},'two':{" YES "}}")),
              "'result':{");
    CHECK_HAS(get(there, id), "'three':{");
    CHECK_HAS(ask(there, "tasks/update", with_id(id, "'inputResponses':{'three':{" YES "}}")), "'result':{");
    CHECK_HAS(get(there, id), "both are answered"); /* with the state of its handler */
    CHECK_HAS(get(here, id), "'status':'completed'");
    client_free(here);
    client_free(there);
    close_both(store);
}

static void a_restarted_process_finds_what_was_finished(void) {
    mcpw_task_store *const store = open_both();
    client *c = modern(&one);
    const char *const done = id_in(call_tool(c, "compute"));
    const char *const asking = id_in(call_tool(c, "confirm"));
    const char *const running = id_in(call_tool(c, "slow"));
    client_free(c);
    world_close(&one);
    open_world(&one, 0);
    c = modern(&one);
    CHECK_HAS(get(c, done), "'text':'42'");
    CHECK_HAS(get(c, asking), "'status':'input_required'");
    CHECK_HAS(ask(c, "tasks/update", with_id(asking, "'inputResponses':{'sure':{" YES "}}")), "'result':{");
    CHECK_HAS(get(c, asking), "'status':'completed'");
    const char *const text = get(c, running);
    CHECK_HAS(text, "'status':'failed'");
    CHECK_HAS(text, "The server ended before the task was finished");
    client_free(c);
    close_both(store);
}

static void a_task_whose_process_has_ended_is_failed(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    views[1].ended = views[0].worker;
    const char *text = get(there, id);
    CHECK_HAS(text, "'status':'failed'");
    CHECK_HAS(text, "The process that ran the task has ended");
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("too late")) == MCPW_OK);
    text = get(here, id); /* it has not ended after all, but nothing changes any more */
    CHECK_HAS(text, "'status':'failed'");
    CHECK_LACKS(text, "too late");
    client_free(here);
    client_free(there);
    close_both(store);
}

/* Its process has the same name, but does not run it. */
static void a_task_that_nobody_runs_is_failed(void) {
    mcpw_task_store *const store = open_both();
    client *const there = modern(&two);
    static const char id[] = "0123456789abcdef0123456789abcdef";
    const mcpw_task_limits limits = {10, 10000};
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    entry.id = mcpw_str_from(id);
    entry.version = 1;
    entry.expires_at = UINT64_MAX;
    entry.worker = mcpw_str_from(views[1].worker);
    entry.text = mcpw_str_from("mcpw-task 1\nw0 1000 1000 3600000 500\np12:{\"name\":\"t\"}\n");
    CHECK(store->create(store->self, &entry, &limits) == MCPW_OK);
    CHECK_HAS(get(there, id), "'status':'failed'");
    client_free(there);
    close_both(store);
}

static void a_task_is_cancelled_by_any_process(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    CHECK_HAS(ask(there, "tasks/cancel", with_id(id, "")), "'result':{");
    CHECK_HAS(get(there, id), "'status':'cancelled'");
    CHECK_HAS(get(here, id), "'status':'cancelled'");
    CHECK(one.cancelled == 1); /* its handler was told */
    client_free(here);
    client_free(there);
    close_both(store);
}

static void a_result_is_waited_for_in_any_process(void) {
    mcpw_task_store *const store = open_both();
    client *const here = core(&one, NULL);
    client *const there = core(&two, NULL);
    const char *const id = id_in(call_core(here, "slow", "'task':{}"));
    CHECK(*ask_core(there, "tasks/result", with_id(id, "")) == '\0');
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("from here")) == MCPW_OK);
    (void)ask_core(here, "tasks/get", with_id(id, ""));
    CHECK_HAS(ask_core(there, "tasks/get", with_id(id, "")), "from here"); /* tasks/result comes first */
    client_free(here);
    client_free(there);
    close_both(store);
}

static void changes_that_were_missed_are_looked_for(void) {
    mcpw_task_store *const store = open_both();
    client *const here = core(&one, NULL);
    client *const there = core(&two, NULL);
    const char *const id = id_in(call_core(here, "slow", "'task':{}"));
    CHECK(*ask_core(there, "tasks/result", with_id(id, "")) == '\0');
    views[0].other = NULL; /* nobody is told */
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("from here")) == MCPW_OK);
    (void)ask_core(here, "tasks/get", with_id(id, ""));
    views[1].hear(views[1].user, (mcpw_str){NULL, 0});
    CHECK_HAS(ask_core(there, "tasks/get", with_id(id, "")), "from here");
    client_free(here);
    client_free(there);
    close_both(store);
}

static void a_store_that_does_not_answer_refuses_tasks(void) {
    mcpw_task_store *const store = open_both();
    client *const c = modern(&one);
    const char *const id = id_in(call_tool(c, "slow"));
    views[0].is_broken = true;
    CHECK_HAS(call_tool(c, "compute"), "'message':'Internal error: the task could not be stored'");
    CHECK_HAS(get(c, id), "'message':'Internal error: the store of tasks does not answer'");
    CHECK_HAS(call_tool(c, "greet"), "'text':'Hello'");
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("late")) == MCPW_OK);
    CHECK_HAS(get(c, id), "'code':-32603");
    views[0].is_broken = false;
    CHECK_HAS(get(c, id), "late"); /* its outcome is stored now */
    client_free(c);
    close_both(store);
}

static void a_page_ends_where_the_store_had_no_time_for_more(void) {
    enum { TASKS = 3, IDS = 64 };
    mcpw_task_store *const store = open_both();
    client *const c = core(&one, "alice");
    char ids[TASKS][IDS];
    char cursor[WORLD_TEXT];
    for (int i = 0; i < TASKS; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "%.32s", id_in(call_core(c, "compute", "'task':{}")));
    }
    views[0].at_once = 1;
    const char *text = ask_core(c, "tasks/list", "");
    (void)snprintf(cursor, sizeof cursor, "'nextCursor':'%s'", ids[2]);
    CHECK_HAS(text, cursor);
    CHECK_LACKS(text, ids[1]);
    views[0].at_once = 0;
    (void)snprintf(cursor, sizeof cursor, "'cursor':'%s'", ids[2]);
    text = ask_core(c, "tasks/list", cursor);
    CHECK_HAS(text, ids[1]);
    CHECK_HAS(text, ids[0]);
    CHECK_LACKS(text, "nextCursor");
    views[0].is_broken = true;
    CHECK_HAS(ask_core(c, "tasks/list", cursor), "'code':-32603");
    client_free(c);
    close_both(store);
}

static void an_outcome_waits_for_the_store(void) {
    static const char other[] = "0123456789abcdef0123456789abcdef";
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    views[0].is_broken = true;
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("late")) == MCPW_OK);
    (void)get(here, other); /* takes it */
    CHECK_HAS(get(there, id), "'status':'working'");
    views[0].is_broken = false;
    views[0].hear(views[0].user, (mcpw_str){NULL, 0});
    (void)get(here, other);
    CHECK_HAS(get(there, id), "late");
    client_free(here);
    client_free(there);
    close_both(store);
}

/* The end of the server is the last time that it can be stored, and it does not count as a failure. */
static void an_outcome_that_waits_is_stored_when_the_server_ends(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    views[0].is_broken = true;
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("late")) == MCPW_OK);
    (void)get(here, id); /* takes it */
    CHECK_HAS(get(there, id), "'status':'working'");
    client_free(here);
    views[0].is_broken = false;
    world_close(&one);
    const char *const text = get(there, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "late");
    client_free(there);
    world_close(&two);
    mcpw_task_memory_free(store);
}

static void an_outcome_that_waits_counts_for_nothing_once_the_task_is_cancelled(void) {
    mcpw_task_store *const store = open_both();
    client *const here = modern(&one);
    client *const there = modern(&two);
    const char *const id = id_in(call_tool(here, "slow"));
    views[0].is_broken = true;
    CHECK(mcpw_respond_text(one.kept[0], mcpw_str_from("late")) == MCPW_OK);
    (void)get(here, id);
    (void)ask(there, "tasks/cancel", with_id(id, ""));
    views[0].is_broken = false;
    CHECK_HAS(get(here, id), "'status':'cancelled'");
    CHECK_HAS(call_tool(here, "compute"), "'taskId'");
    client_free(here);
    client_free(there);
    close_both(store);
}

static void a_task_waits_for_its_turn_until_the_store_is_there(void) {
    mcpw_task_store *const store = open_both();
    client *const c = modern(&one);
    views[0].breaks = true;
    const char *const id = id_in(call_tool(c, "compute"));
    const unsigned runs = one.runs;
    CHECK_HAS(get(c, id), "'code':-32603");
    CHECK(one.runs == runs);
    views[0].is_broken = views[0].breaks = false;
    (void)get(c, id);
    CHECK_HAS(get(c, id), "'text':'42'");
    client_free(c);
    close_both(store);
}

static void a_record_of_another_making_costs_its_own_task_alone(void) {
    static const char id[] = "0123456789abcdef0123456789abcdef";
    const mcpw_task_limits limits = {10, 10000};
    mcpw_task_store *const store = open_both();
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    client *const c = modern(&one);
    entry.id = mcpw_str_from(id);
    entry.version = 1;
    entry.expires_at = UINT64_MAX;
    entry.text = mcpw_str_from("no record");
    CHECK(store->create(store->self, &entry, &limits) == MCPW_OK);
    CHECK_HAS(get(c, id), "'message':'Internal error: the record of the task cannot be read'");
    CHECK_HAS(get(c, id_in(call_tool(c, "compute"))), "'status':'completed'");
    client_free(c);
    close_both(store);
}

int main(void) {
    mcpw_task_store *const any = new_store();
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: there is no libsodium\n");
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(any_process_answers_for_a_task);
    RUN(an_answer_that_was_kept_does_not_hide_the_end_of_a_worker);
    RUN(a_task_that_waits_for_input_goes_on_in_another_process);
    RUN(a_restarted_process_finds_what_was_finished);
    RUN(a_task_whose_process_has_ended_is_failed);
    RUN(a_task_that_nobody_runs_is_failed);
    RUN(a_task_is_cancelled_by_any_process);
    RUN(a_result_is_waited_for_in_any_process);
    RUN(changes_that_were_missed_are_looked_for);
    RUN(a_store_that_does_not_answer_refuses_tasks);
    RUN(a_page_ends_where_the_store_had_no_time_for_more);
    RUN(an_outcome_waits_for_the_store);
    RUN(an_outcome_that_waits_is_stored_when_the_server_ends);
    RUN(an_outcome_that_waits_counts_for_nothing_once_the_task_is_cancelled);
    RUN(a_task_waits_for_its_turn_until_the_store_is_there);
    RUN(a_record_of_another_making_costs_its_own_task_alone);
    return check_end();
}
