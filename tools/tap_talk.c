/* SPDX-License-Identifier: MIT */
#include "tap_talk.h"

#include <mcpw/codec.h>
#include <mcpw/policy.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    USED_IDS = 1 << 16,
    MAX_CAPABILITIES = 1 << 16,
    MAX_FACTS = 1 << 26 /* bytes of the facts of one side's open requests */
};

side talk_other(side from) { return from == CLIENT ? SERVER : CLIENT; }

/* ---- memory ---- */

static void drop_request(void *facts) {
    request_facts *const f = facts;
    free(f->capabilities);
    free(f->tool);
    if (f->token.kind == MCPW_ID_STRING) {
        free((void *)(uintptr_t)f->token.as.string.ptr);
    }
    *f->held -= f->bytes;
    free(f);
}

static void init_party(party *p, size_t max_open) {
    requests_init(&p->open, max_open);
    requests_init(&p->used, USED_IDS);
    requests_init(&p->early, USED_IDS);
    requests_init(&p->tokens, max_open);
    p->open.drop = drop_request;
    p->tokens.drop = free;
}

void talk_init(talk *t, const mcpw_revision *forced, bool strict, size_t max_open) {
    const mcpw_arena arena = MCPW_ARENA_INIT;
    memset(t, 0, sizeof *t);
    t->forced = forced;
    t->strict = strict;
    t->arena = arena;
    init_party(&t->parties[CLIENT], max_open);
    init_party(&t->parties[SERVER], max_open);
}

void talk_free(talk *t) {
    for (unsigned i = 0; i < SIDES; i++) {
        requests_free(&t->parties[i].open);
        requests_free(&t->parties[i].used);
        requests_free(&t->parties[i].early);
        requests_free(&t->parties[i].tokens);
        free(t->parties[i].capabilities);
    }
    mcpw_arena_free(&t->arena);
}

void talk_clear(talk *t) { mcpw_arena_reset(&t->arena); }

static char *copy_bytes(const char *bytes, size_t len) {
    char *const copy = malloc(len + 1);
    if (copy != NULL) {
        copy[len] = '\0';
        if (len != 0) {
            memcpy(copy, bytes, len);
        }
    }
    return copy;
}

/* Stores the capabilities of a side; those that cannot be stored count as undeclared. */
static void keep_capabilities(char **kept, size_t *kept_len, mcpw_json value) {
    free(*kept);
    *kept = NULL;
    *kept_len = 0;
    if (value.ptr != NULL && mcpw_json_kind_of(value) == MCPW_JSON_OBJECT && value.len <= MAX_CAPABILITIES) {
        *kept = copy_bytes(value.ptr, value.len);
        *kept_len = *kept != NULL ? value.len : 0;
    }
}

/* ---- reading ---- */

/* The newest revision with or without a handshake; if there is none, the newest of all. */
static const mcpw_revision *newest(bool with_handshake) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = count; i > 0; i--) {
        if (mcpw_revision_has_handshake(all[i - 1]) == with_handshake) {
            return all[i - 1];
        }
    }
    return all[count - 1];
}

const mcpw_revision *talk_revision(const talk *t) {
    const mcpw_revision *const known[] = {t->forced, t->agreed, t->requested, t->stateless};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i] != NULL) {
            return known[i];
        }
    }
    return newest(true);
}

/* The revision that initialize requests, if its check is possible. */
static const mcpw_revision *asked_revision(talk *t, const talk_message *m) {
    const mcpw_revision *const named =
        glance_revision(glance_text(m->at[MCPW_AT_PROTOCOL_VERSION], &t->arena));
    return named != NULL && mcpw_revision_has_handshake(named) ? named : newest(true);
}

static const mcpw_revision *of_request(talk *t, const talk_message *m) {
    if (mcpw_str_is(m->method, "initialize")) {
        return asked_revision(t, m);
    }
    if (m->named.ptr != NULL) {
        const mcpw_revision *const named = glance_revision(m->named);
        return named != NULL ? named : newest(false);
    }
    return talk_revision(t);
}

bool talk_listens(const open_request *entry) {
    const request_facts *const facts = entry->facts;
    return facts != NULL &&
           mcpw_str_is(mcpw_method_name(facts->revision, entry->answers[0].method), "subscriptions/listen");
}

const open_request *talk_cancels(const talk *t, const talk_message *m, const mcpw_id *id) {
    const open_request *const own = requests_find(&t->parties[m->from].open, id);
    const open_request *const others =
        own == NULL && m->from == SERVER ? requests_find(&t->parties[CLIENT].open, id) : NULL;
    return others != NULL && talk_listens(others) ? others : own;
}

mcpw_id talk_token(talk *t, const talk_message *m) {
    return glance_id(glance_member(m->at[MCPW_AT_PARAMS], "progressToken"), &t->arena);
}

mcpw_id talk_subscription(talk *t, const talk_message *m) {
    return glance_id(glance_member(m->at[MCPW_AT_META], META_SUBSCRIPTION), &t->arena);
}

/* The revision of a notification is that of its request. */
static const mcpw_revision *of_notification(talk *t, const talk_message *m) {
    const open_request *of = NULL;
    if (mcpw_str_is(m->method, "notifications/progress")) {
        const mcpw_id token = talk_token(t, m);
        of = requests_find(&t->parties[talk_other(m->from)].tokens, &token);
        return of != NULL && of->facts != NULL ? ((const token_facts *)of->facts)->revision
                                               : talk_revision(t);
    }
    if (mcpw_str_is(m->method, "notifications/cancelled")) {
        const mcpw_id id = glance_id(m->at[MCPW_AT_REQUEST_ID], &t->arena);
        of = talk_cancels(t, m, &id);
    }
    return of != NULL && of->facts != NULL ? ((const request_facts *)of->facts)->revision : talk_revision(t);
}

static const mcpw_revision *find_revision_of(talk *t, const talk_message *m) {
    if (t->forced != NULL) {
        return t->forced;
    }
    switch (m->kind) {
    case MCPW_MESSAGE_REQUEST:
        return of_request(t, m);
    case MCPW_MESSAGE_NOTIFICATION:
        return of_notification(t, m);
    default:
        return m->answer_facts != NULL ? m->answer_facts->revision : talk_revision(t);
    }
}

void talk_read(talk *t, side from, mcpw_json text, talk_message *m) {
    glance g;
    glance_read(&g, text, &t->arena);
    *m = (talk_message){.from = from,
                        .text = text,
                        .number = m->number,
                        .batched = m->batched,
                        .item = m->item,
                        .kind = g.kind,
                        .id = g.id,
                        .method = g.method,
                        .named = g.named};
    memcpy(m->at, g.at, sizeof m->at);
    if (m->kind == MCPW_MESSAGE_RESULT || m->kind == MCPW_MESSAGE_ERROR) {
        m->answers = requests_find(&t->parties[talk_other(from)].open, &m->id);
        m->answer_facts = m->answers != NULL ? m->answers->facts : NULL;
    }
    m->revision = find_revision_of(t, m);
    if (m->answers != NULL) {
        m->method_number = m->answers->answers[0].method;
        m->brought = overlays_at(t->overlays, m->revision, m->method_number);
        m->method = m->brought != NULL ? m->brought->name : mcpw_method_name(m->revision, m->method_number);
    } else if (m->method.ptr != NULL) {
        m->method_number = mcpw_method_number(m->revision, m->method.ptr, m->method.len);
        m->brought = m->method_number == 0 ? overlays_find(t->overlays, m->revision, m->method) : NULL;
    }
    m->method_number = m->brought != NULL ? 0 : m->method_number;
    m->entry = mcpw_method_entry(m->revision, m->method_number);
}

mcpw_json talk_capabilities(const talk *t, const talk_message *m, side of) {
    const party *const p = &t->parties[of];
    mcpw_json out = mcpw_json_of(p->capabilities, p->capabilities_len);
    /* Without a handshake a client declares its capabilities in each request, for that request only. */
    if (of == CLIENT && !mcpw_revision_has_handshake(m->revision)) {
        const request_facts *const f = m->answer_facts;
        out = m->kind == MCPW_MESSAGE_REQUEST ? m->at[MCPW_AT_CAPABILITIES]
              : f != NULL                     ? mcpw_json_of(f->capabilities, f->capabilities_len)
                                              : (mcpw_json){NULL, 0, 0};
    }
    return out;
}

/* ---- changes of the state ---- */

/* Adds an entry to a table of ids; NULL: it is full. */
static open_request *put(party *p, requests *table, const mcpw_id *id) {
    static const mcpw_answered_request none = {0, false};
    if (!requests_add(table, id, none)) {
        p->forgot = true;
        return NULL;
    }
    return requests_find(table, id);
}

static void follow_initialize(talk *t, const talk_message *m) {
    const mcpw_str name = glance_text(m->at[MCPW_AT_PROTOCOL_VERSION], &t->arena);
    party *const client = &t->parties[CLIENT];
    t->handshake = HANDSHAKE_ASKED;
    t->initialized = false;
    t->agreed = NULL;
    t->requested = asked_revision(t, m);
    (void)snprintf(t->requested_name, sizeof t->requested_name, "%.*s",
                   name.len < TALK_NAME_SIZE ? (int)name.len : TALK_NAME_SIZE - 1,
                   name.ptr != NULL ? name.ptr : "");
    keep_capabilities(&client->capabilities, &client->capabilities_len,
                      glance_member(m->at[MCPW_AT_PARAMS], "capabilities"));
}

static void follow_request(talk *t, const talk_message *m) {
    if (m->from != CLIENT) {
        return;
    }
    if (mcpw_str_is(m->method, "initialize")) {
        follow_initialize(t, m);
    } else if (m->named.ptr != NULL && !mcpw_revision_has_handshake(m->revision)) {
        t->stateless = m->revision;
    } else if (t->handshake == HANDSHAKE_ANSWERED && !mcpw_str_is(m->method, "ping")) {
        t->handshake = HANDSHAKE_DONE; /* the missing notifications/initialized is reported once */
    }
}

static void follow_result(talk *t, const talk_message *m) {
    const bool initialize = mcpw_str_is(m->method, "initialize");
    party *const server = &t->parties[SERVER];
    if (m->from != SERVER || (!initialize && !mcpw_str_is(m->method, "server/discover"))) {
        return;
    }
    keep_capabilities(&server->capabilities, &server->capabilities_len,
                      glance_member(m->at[MCPW_AT_RESULT], "capabilities"));
    if (initialize) {
        const mcpw_revision *const named =
            glance_revision(glance_string(m->at[MCPW_AT_RESULT], "protocolVersion", &t->arena));
        t->handshake = HANDSHAKE_ANSWERED;
        t->agreed = named != NULL && mcpw_revision_has_handshake(named) ? named : talk_revision(t);
        t->requested = NULL;
    }
}

static void follow_error(talk *t, const talk_message *m) {
    party *const other = &t->parties[talk_other(m->from)];
    if (m->from == SERVER && mcpw_str_is(m->method, "initialize")) {
        t->handshake = HANDSHAKE_NONE;
        t->requested = NULL;
    }
    if (m->id.kind == MCPW_ID_NULL || m->id.kind == MCPW_ID_ABSENT) {
        if (other->unreadable != 0) {
            other->unreadable--;
        } else {
            other->notifications = 0;
        }
    }
}

static void follow_progress(talk *t, const talk_message *m) {
    const mcpw_id id = talk_token(t, m);
    const open_request *const token = requests_find(&t->parties[talk_other(m->from)].tokens, &id);
    double progress = 0;
    if (token != NULL && token->facts != NULL &&
        mcpw_json_get_double(m->at[MCPW_AT_PARAMS], "progress", &progress) == MCPW_OK) {
        token_facts *const f = token->facts;
        f->any = true;
        f->progress = progress;
    }
}

static request_facts *facts_of(const requests *table, const mcpw_id *id) {
    const open_request *const entry = requests_find(table, id);
    return entry != NULL ? entry->facts : NULL;
}

static void follow_cancelled(talk *t, const talk_message *m) {
    party *const p = &t->parties[m->from];
    const mcpw_id id = glance_id(m->at[MCPW_AT_REQUEST_ID], &t->arena);
    const open_request *const entry = talk_cancels(t, m, &id);
    request_facts *const f = entry != NULL ? entry->facts : NULL;
    if (f != NULL && entry == requests_find(&p->open, &id)) {
        f->cancelled = true;
        f->cancelled_at = t->now;
    } else if (f != NULL) {
        f->ended = true;
    } else if (entry == NULL && requests_find(&p->used, &id) == NULL && p->early.used < USED_IDS) {
        (void)put(p, &p->early, &id);
    }
}

static void follow_notification(talk *t, const talk_message *m) {
    request_facts *f = NULL;
    t->parties[m->from].notifications++;
    if (mcpw_str_is(m->method, "notifications/progress")) {
        follow_progress(t, m);
    } else if (mcpw_str_is(m->method, "notifications/cancelled")) {
        follow_cancelled(t, m);
    } else if (mcpw_str_is(m->method, "notifications/subscriptions/acknowledged")) {
        const mcpw_id id = talk_subscription(t, m);
        f = facts_of(&t->parties[CLIENT].open, &id);
        if (f != NULL) {
            f->acknowledged = true;
        }
    } else if (m->from == CLIENT && mcpw_str_is(m->method, "notifications/initialized")) {
        t->initialized = true;
        t->handshake = t->handshake == HANDSHAKE_ANSWERED ? HANDSHAKE_DONE : t->handshake;
    }
}

/* Closes an answered request: its token is free, unless a task continues. */
static void close_request(party *asker, const open_request *entry, bool goes_on) {
    const request_facts *const f = entry->facts;
    if (f == NULL) {
        return;
    }
    if (!goes_on) {
        requests_remove(&asker->tokens, &f->token);
    }
    asker->loggers -= f->wants_log ? 1U : 0U;
}

void talk_follow(talk *t, const talk_message *m) {
    switch (m->kind) {
    case MCPW_MESSAGE_REQUEST:
        requests_remove(&t->parties[m->from].early, &m->id);
        follow_request(t, m);
        break;
    case MCPW_MESSAGE_NOTIFICATION:
        follow_notification(t, m);
        break;
    case MCPW_MESSAGE_RESULT:
        follow_result(t, m);
        break;
    case MCPW_MESSAGE_ERROR:
        follow_error(t, m);
        break;
    default:
        break;
    }
    if (m->kind != MCPW_MESSAGE_NOTIFICATION && m->kind != MCPW_MESSAGE_ERROR &&
        m->id.kind != MCPW_ID_STRING && m->id.kind != MCPW_ID_INTEGER) {
        t->parties[m->from].unreadable++;
    }
    if (m->answers != NULL) {
        close_request(&t->parties[talk_other(m->from)], m->answers,
                      m->kind == MCPW_MESSAGE_RESULT && m->answers->answers[0].task);
    }
}

bool talk_refused(talk *t, side asker, const mcpw_id *id) {
    party *const p = &t->parties[asker];
    const open_request *const entry = requests_find(&p->open, id);
    open_request *const used = requests_find(&p->used, id);
    if (entry == NULL) {
        return false;
    }
    const request_facts *const f = entry->open > 1 ? NULL : entry->facts; /* another one may have them */
    if (f != NULL && asker == CLIENT && t->handshake == HANDSHAKE_ASKED &&
        mcpw_str_is(mcpw_method_name(f->revision, entry->answers[0].method), "initialize")) {
        t->handshake = HANDSHAKE_NONE;
        t->requested = NULL;
    }
    if (f != NULL) {
        close_request(p, entry, false);
    }
    if (used != NULL) {
        used->marks[0] = true;
    }
    requests_refused(&p->open, id);
    return true;
}

static void open_token(talk *t, const talk_message *m, party *p, request_facts *f) {
    const mcpw_id token = glance_id(m->at[MCPW_AT_PROGRESS_TOKEN], &t->arena);
    const bool string = token.kind == MCPW_ID_STRING;
    char *copy = NULL;
    if (token.kind != MCPW_ID_INTEGER && !string) {
        return;
    }
    open_request *const entry = put(p, &p->tokens, &token);
    token_facts *const facts = calloc(1, sizeof *facts);
    if (string) {
        copy = copy_bytes(token.as.string.ptr, token.as.string.len);
    }
    if (entry == NULL || facts == NULL || (string && copy == NULL)) {
        free(facts);
        free(copy);
        return;
    }
    f->token = token;
    if (string) {
        f->token.as.string.ptr = copy;
    }
    facts->revision = f->revision;
    free(entry->facts);
    entry->facts = facts;
}

/* The bytes of a request's facts that would be stored. */
static size_t facts_size(mcpw_json capabilities, mcpw_str tool, const mcpw_id *token) {
    const bool fits = capabilities.ptr != NULL && capabilities.len <= MAX_CAPABILITIES;
    const size_t declared = fits ? capabilities.len : 0;
    return declared + tool.len + (token->kind == MCPW_ID_STRING ? token->as.string.len : 0);
}

void talk_opened(talk *t, const talk_message *m) {
    party *const p = &t->parties[m->from];
    open_request *const entry = m->kind == MCPW_MESSAGE_REQUEST ? requests_find(&p->open, &m->id) : NULL;
    if (entry == NULL) {
        return;
    }
    if (p->used.used < USED_IDS) {
        (void)put(p, &p->used, &m->id);
    }
    if (entry->facts != NULL) { /* the id is used twice: the newer request counts */
        close_request(p, entry, false);
        drop_request(entry->facts);
        entry->facts = NULL;
    }
    const bool calls = m->from == CLIENT && mcpw_str_is(m->method, "tools/call");
    const mcpw_str tool = calls ? glance_text(m->at[MCPW_AT_NAME], &t->arena) : (mcpw_str){NULL, 0};
    const mcpw_id token = glance_id(m->at[MCPW_AT_PROGRESS_TOKEN], &t->arena);
    const mcpw_json capabilities = m->at[MCPW_AT_CAPABILITIES];
    const size_t bytes = facts_size(capabilities, tool, &token);
    p->forgot = p->forgot || bytes > MAX_FACTS - p->facts_bytes;
    request_facts *const f = bytes <= MAX_FACTS - p->facts_bytes ? calloc(1, sizeof *f) : NULL;
    if (f == NULL) {
        return;
    }
    p->facts_bytes += bytes;
    f->held = &p->facts_bytes;
    f->bytes = bytes;
    entry->facts = f;
    f->revision = m->revision;
    f->number = m->number;
    f->valid = m->valid;
    f->stateless = mcpw_str_is(m->named, mcpw_revision_name(m->revision));
    f->wants_log = m->from == CLIENT && m->at[MCPW_AT_LOG_LEVEL].ptr != NULL;
    p->loggers += f->wants_log ? 1U : 0U;
    keep_capabilities(&f->capabilities, &f->capabilities_len, capabilities);
    f->begins = glance_member(m->at[MCPW_AT_PARAMS], "cursor").ptr == NULL;
    f->tool = tool.ptr != NULL ? copy_bytes(tool.ptr, tool.len) : NULL;
    open_token(t, m, p, f);
}
