/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "tap_conversation.h"

#include <stdlib.h>
#include <string.h>

enum { FILLER = 1 << 12 };

void conversations_init(conversations *c, const watch_settings *settings, tap_report *report) {
    memset(c, 0, sizeof *c);
    c->set = *settings;
    c->report = report;
    c->set.info_missed = &c->info_missed;
}

static void unlink_one(conversation *one) {
    conversations *const all = one->all;
    *(one->previous != NULL ? &one->previous->next : &all->newest) = one->next;
    *(one->next != NULL ? &one->next->previous : &all->oldest) = one->previous;
}

static void link_newest(conversation *one) {
    conversations *const all = one->all;
    one->previous = NULL;
    one->next = all->newest;
    *(all->newest != NULL ? &all->newest->previous : &all->oldest) = one;
    all->newest = one;
}

static void free_one(conversation *one) {
    unlink_one(one);
    one->all->count--;
    watch_free(&one->watch);
    free(one->name);
    free(one);
}

void conversations_free(conversations *c) {
    for (conversation *one = c->newest, *next = NULL; one != NULL; one = next) {
        next = one->next;
        free_one(one);
    }
    c->info_missed = false;
}

static void on_line(void *user, record *line) {
    const conversation *const one = user;
    line->conversation = one->number;
    one->all->on_line(one->all->user, line);
}

/* Removes unused conversations until there is room for one more. */
static void make_room(conversations *c) {
    for (conversation *one = c->oldest, *next = NULL; one != NULL && c->count >= MOST_CONVERSATIONS;
         one = next) {
        next = one->previous;
        if (one->holders == 0) {
            free_one(one);
        }
    }
}

static conversation *make(conversations *c, uint64_t number) {
    conversation *const one = calloc(1, sizeof *one);
    make_room(c);
    if (one == NULL) {
        return NULL;
    }
    one->all = c;
    one->number = number;
    watch_init(&one->watch, &c->set, c->report);
    one->watch.conversation = number;
    if (c->on_line != NULL) {
        one->watch.on_line = on_line;
        one->watch.user = one;
    }
    link_newest(one);
    c->count++;
    return one;
}

conversation *conversation_begin(conversations *c) {
    conversation *const one = make(c, ++c->last_number);
    if (one != NULL) {
        one->holders = 1;
    }
    return one;
}

static conversation *find(const conversations *c, const char *name) {
    conversation *one = c->newest;
    while (one != NULL && (one->name == NULL || strcmp(one->name, name) != 0)) {
        one = one->next;
    }
    return one;
}

conversation *conversation_of(conversations *c, const char *name) {
    conversation *one = find(c, name);
    if (one != NULL) {
        one->holders++;
        return one;
    }
    one = conversation_begin(c);
    if (one != NULL) {
        conversation_set_name(one, name);
    }
    return one;
}

conversation *conversation_numbered(conversations *c, uint64_t number) {
    conversation *one = c->newest;
    while (one != NULL && one->number != number) {
        one = one->next;
    }
    if (one == NULL) {
        one = make(c, number);
        if (one != NULL) {
            one->is_known = true;
        }
    }
    return one;
}

void conversation_set_name(conversation *one, const char *name) {
    conversation *const other = find(one->all, name);
    if (other == one) {
        return;
    }
    if (other != NULL) {
        free(other->name);
        other->name = NULL;
        other->is_known = false;
        if (other->holders == 0) {
            free_one(other);
        }
    }
    free(one->name);
    one->name = strdup(name);
    one->is_known = one->name != NULL;
}

void conversation_leave(conversation *one) {
    one->holders--;
    if (one->holders == 0 && !one->is_known) {
        free_one(one);
    }
}

/* Passes filler bytes for a skipped line; beyond the longest line only their number is passed. */
static void feed_skipped(watch *w, side from, uint64_t count) {
    char filler[FILLER];
    uint64_t left = w->set.max_bytes < count ? (uint64_t)w->set.max_bytes + 1 : count;
    memset(filler, 'x', sizeof filler);
    watch_skipped(w, from, count - left);
    while (left != 0) {
        const size_t portion = left < sizeof filler ? (size_t)left : sizeof filler;
        watch_bytes(w, from, filler, portion);
        left -= portion;
    }
}

/* Passes one line to a watch. */
static void give_line(watch *w, const record *r) {
    static const char *const ends[RECORD_ENDS] = {
        [RECORD_LF] = "\n", [RECORD_CRLF] = "\r\n", [RECORD_NO_END] = ""};
    if (r->kind == RECORD_REFUSED) {
        watch_refused(w, r);
        return;
    }
    if (r->kind == RECORD_SKIPPED) {
        feed_skipped(w, r->from, r->number);
    } else if (r->line.len != 0) {
        watch_bytes(w, r->from, r->line.ptr, r->line.len);
    }
    if (r->end == RECORD_NO_END) {
        watch_end(w, r->from);
    } else {
        watch_bytes(w, r->from, ends[r->end], strlen(ends[r->end]));
    }
}

void conversation_take(conversation *one, uint64_t now, const record *line) {
    unlink_one(one);
    link_newest(one);
    subscription_at(&one->watch, now);
    give_line(&one->watch, line);
}

static void refuse_one(conversation *one, uint64_t now, mcpw_json message, uint64_t status) {
    record r = {.kind = RECORD_REFUSED, .from = SERVER, .number = status};
    mcpw_json method = {NULL, 0, 0};
    mcpw_json id = {NULL, 0, 0};
    if (mcpw_json_get(message, "method", &method) == MCPW_OK &&
        mcpw_json_get(message, "id", &id) == MCPW_OK) {
        r.line = (mcpw_str){id.ptr, id.len};
        conversation_take(one, now, &r);
    }
}

void conversation_refused(conversation *one, uint64_t now, mcpw_str message, uint64_t status) {
    const mcpw_json text = mcpw_json_of(message.ptr, message.len);
    mcpw_json item = {NULL, 0, 0};
    mcpw_json_iter it;
    mcpw_error unused;
    if (mcpw_json_check(text, 0, &unused) != MCPW_OK) {
        return;
    }
    if (mcpw_json_kind_of(text) != MCPW_JSON_ARRAY) {
        refuse_one(one, now, text, status);
    } else if (mcpw_json_iterate(text, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            refuse_one(one, now, item, status);
        }
    }
}
