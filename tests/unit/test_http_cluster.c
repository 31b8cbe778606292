/* SPDX-License-Identifier: MIT */
/* Processes that serve the same sessions: two servers that share a cluster and a store, which are arrays
 * here, and nothing else. Entries of the log reach both when a test says so. */
#include "http_sessions.h"

enum { MOST_KEPT = 64, MOST_ENTRIES = 64, MOST_EVENTS = 64, TEXT = 512, SITES = 2 };

typedef struct kept {
    char session[VISITOR_ID];
    char name[TEXT];
    char text[TEXT];
} kept;

typedef struct event {
    char session[VISITOR_ID];
    uint64_t stream;
    uint64_t number;
    char text[TEXT];
} event;

/* The data that both share. */
typedef struct shared {
    kept keeps[MOST_KEPT];
    size_t kept_count;
    char entries[MOST_ENTRIES][TEXT]; /* numbered from 1 on */
    size_t entry_count;
    size_t told[SITES]; /* entries that have come to each */
    mcpw_http_entry_handler *hears[SITES];
    void *hearers[SITES];
    event events[MOST_EVENTS];
    size_t event_count;
    int touches;
    bool is_away; /* nothing can be reached */
    int calls;
    int fails_at; /* this call fails, and no other; 0: none */
    size_t most;  /* bytes of an entry; 0: any */
    size_t pass;  /* entries that are read at once for a client that resumes; 0: any */
    site sites[SITES];
    mcpw_http_cluster clusters[SITES];
    mcpw_http_store store;
} shared;

static bool is(const char *text, mcpw_str what) { return mcpw_str_is(what, text); }
static void copy(char *to, size_t size, mcpw_str text) {
    CHECK(text.len < size);
    (void)snprintf(to, size, "%.*s", (int)text.len, text.len != 0 ? text.ptr : "");
}

/* Whether a call cannot be answered. */
static bool fails(shared *s) { return ++s->calls == s->fails_at || s->is_away; }

/* ---- The cluster ---- */

static kept *kept_of(shared *s, mcpw_str session, mcpw_str name) {
    for (size_t i = 0; i < s->kept_count; i++) {
        if (is(s->keeps[i].session, session) && (name.ptr == NULL || is(s->keeps[i].name, name))) {
            return s->keeps + i;
        }
    }
    return NULL;
}

static mcpw_status keep(void *self, mcpw_str session, uint64_t lifetime, mcpw_str name, mcpw_str text) {
    shared *const s = self;
    kept *k = kept_of(s, session, name);
    CHECK(lifetime != 0);
    if (fails(s)) {
        return MCPW_E_IO;
    }
    if (!mcpw_str_is(name, "session") && kept_of(s, session, MCPW_STR_VALUE("session")) == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    if (text.ptr == NULL) {
        if (k != NULL) {
            *k = s->keeps[--s->kept_count];
        }
        return MCPW_OK;
    }
    k = k != NULL ? k : s->keeps + s->kept_count++;
    copy(k->session, sizeof k->session, session);
    copy(k->name, sizeof k->name, name);
    copy(k->text, sizeof k->text, text);
    return MCPW_OK;
}

static mcpw_status find(void *self, mcpw_str session, uint64_t lifetime, mcpw_http_take *take, void *user) {
    shared *const s = self;
    mcpw_status status = fails(s) ? MCPW_E_IO : MCPW_E_NOT_FOUND;
    CHECK(lifetime != 0);
    for (size_t i = s->kept_count; i-- > 0 && (status == MCPW_OK || status == MCPW_E_NOT_FOUND);) {
        if (is(s->keeps[i].session, session)) {
            status = take(user, mcpw_str_from(s->keeps[i].name), mcpw_str_from(s->keeps[i].text));
        }
    }
    return status;
}

static mcpw_status touch(void *self, mcpw_str session, uint64_t lifetime) {
    shared *const s = self;
    CHECK(lifetime != 0);
    s->touches++;
    return fails(s)                                           ? MCPW_E_IO
           : kept_of(s, session, (mcpw_str){NULL, 0}) != NULL ? MCPW_OK
                                                              : MCPW_E_NOT_FOUND;
}

static void end(void *self, mcpw_str session) {
    shared *const s = self;
    for (kept *k = s->keeps; k < s->keeps + s->kept_count;) {
        if (is(k->session, session)) {
            *k = s->keeps[--s->kept_count];
        } else {
            k++;
        }
    }
}

static mcpw_status say(void *self, mcpw_str entry) {
    shared *const s = self;
    if (fails(s)) {
        return MCPW_E_IO;
    }
    if (s->most != 0 && entry.len > s->most) {
        return MCPW_E_SIZE;
    }
    CHECK(s->entry_count < MOST_ENTRIES);
    copy(s->entries[s->entry_count++], TEXT, entry);
    return MCPW_OK;
}

static mcpw_status since(void *self, uint64_t after, mcpw_http_give *give, void *user) {
    shared *const s = self;
    mcpw_status status = fails(s) ? MCPW_E_IO : MCPW_OK;
    for (size_t i = (size_t)after; i < s->entry_count && status == MCPW_OK; i++) {
        if (s->pass != 0 && i - (size_t)after == s->pass) {
            return MCPW_E_IO;
        }
        status = give(user, i + 1, mcpw_str_from(s->entries[i]));
    }
    return status;
}

static void follow_first(void *self, mcpw_http_entry_handler *hear, void *user) {
    shared *const s = self;
    s->hears[0] = hear;
    s->hearers[0] = user;
}

static void follow_second(void *self, mcpw_http_entry_handler *hear, void *user) {
    shared *const s = self;
    s->hears[1] = hear;
    s->hearers[1] = user;
}

/* ---- The store ---- */

static mcpw_status append(void *self, mcpw_str session, uint64_t stream, uint64_t number, mcpw_str text) {
    shared *const s = self;
    if (fails(s)) {
        return MCPW_E_IO;
    }
    event *const e = s->events + s->event_count++;
    CHECK(s->event_count < MOST_EVENTS && stream != 0);
    for (const event *other = s->events; other != e; other++) {
        CHECK(!is(other->session, session) || other->stream != stream || other->number < number);
    }
    copy(e->session, sizeof e->session, session);
    copy(e->text, sizeof e->text, text);
    e->stream = stream;
    e->number = number;
    return MCPW_OK;
}

static mcpw_status replay(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user) {
    shared *const s = self;
    mcpw_status status = fails(s) ? MCPW_E_IO : MCPW_OK;
    for (const event *e = s->events; e < s->events + s->event_count && status == MCPW_OK; e++) {
        if (is(e->session, session) && e->stream == stream && e->number > after) {
            status = give(user, e->number, mcpw_str_from(e->text));
        }
    }
    return status;
}

static void drop(void *self, mcpw_str session) {
    (void)self;
    (void)session;
}

/* ---- Two servers ---- */

static bool add_tools(site *s) { return site_add(s, "asks", site_asks, NULL); }

static mcpw_status read_news(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_text(request, NULL, MCPW_STR_VALUE("new"));
}

static bool add_news(site *s) {
    const mcpw_resource news = {.uri = "file:///news", .name = "news", .read = read_news};
    return mcpw_server_add_resource(s->tools, &news, NULL) == MCPW_OK;
}

static bool start(shared *s, size_t at) {
    static void (*const follows[])(void *, mcpw_http_entry_handler *, void *) = {follow_first, follow_second};
    s->clusters[at] =
        (mcpw_http_cluster){0, s, (uint32_t)at + 1, keep, find, touch, end, say, since, follows[at], NULL};
    s->sites[at].config.cluster = s->clusters + at;
    s->sites[at].config.store = &s->store;
    s->sites[at].logs = true;
    return site_start(s->sites + at) && add_tools(s->sites + at) && add_news(s->sites + at);
}

/* Brings to both what is in the log. */
static void hear(shared *s) {
    for (size_t i = 0; i < SITES; i++) {
        while (s->told[i] < s->entry_count) {
            const mcpw_str entry = mcpw_str_from(s->entries[s->told[i]++]);
            if (s->hears[i] != NULL) {
                s->hears[i](s->hearers[i], s->told[i], entry);
            }
        }
    }
}

static shared *begin(void) {
    static shared s;
    memset(&s, 0, sizeof s);
    s.store = (mcpw_http_store){.self = &s, .append = append, .replay = replay, .drop = drop};
    CHECK(start(&s, 0) && start(&s, 1));
    hear(&s);
    return &s;
}

static void finish(shared *s) {
    for (size_t i = 0; i < SITES; i++) {
        site_stop(s->sites + i);
    }
}

static void kill_site(shared *s, size_t at) {
    site_stop(s->sites + at);
    memset(s->sites + at, 0, sizeof s->sites[at]);
    CHECK(s->hears[at] == NULL);
}

/* A client that goes to the other server from now on. */
static visitor at_other(shared *s, const visitor *v) {
    visitor other = *v;
    other.site = v->site == s->sites ? s->sites + 1 : s->sites;
    return other;
}

static void open_at(shared *s, size_t at, visitor *v) {
    visitor_open(s->sites + at, v, "2025-11-25");
    hear(s);
}

/* The id of the last event in a text. */
static const char *last_id(const char *text) {
    static char id[VISITOR_ID];
    const char *found = "id: ";
    for (const char *at = text; (at = strstr(at, "id: ")) != NULL; at++) {
        found = at;
    }
    (void)snprintf(id, sizeof id, "%.*s", (int)strcspn(found + 4, "\n"), found + 4);
    return id;
}

static void add_tool(const shared *s, size_t at, const char *name) {
    CHECK(site_add((site *)(uintptr_t)(s->sites + at), name, site_hello, NULL));
}

/* ---- Sessions ---- */

static void a_session_is_served_by_any_process(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    const response *const r = visitor_say(&other, CALL_TOOL("hello"));
    CHECK(r->status == 200 && site_has(r->body, "'text':'hello'"));
    CHECK(strcmp(s->sites[1].heard, "localhost:8080 alice") == 0);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    finish(s);
}

static void who_has_opened_it_is_gone(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    kill_site(s, 0);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    site_stop(s->sites + 1);
}

static void a_session_is_its_principals_everywhere(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    s->sites[1].principal = "mallory";
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 404);
    s->sites[1].principal = NULL;
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    s->sites[1].principal = "mallory";
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 404);
    finish(s);
}

static void a_session_that_ends_ends_everywhere(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    CHECK(visitor_leave(&v)->status == 204);
    hear(s);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 404);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    CHECK(s->kept_count == 0);
    finish(s);
}

static void a_session_that_was_forgotten_is_over(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    s->kept_count = 0;
    mcpw_http_advance(s->sites[0].http, 1);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200); /* it is not asked each time */
    mcpw_http_advance(s->sites[0].http, 300000);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    CHECK(s->touches == 1);
    finish(s);
}

static void a_copy_that_nobody_uses_goes_and_comes_back(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    mcpw_http_advance(s->sites[0].http, 1);
    mcpw_http_advance(s->sites[0].http, 10000);
    mcpw_http_advance(s->sites[0].http, 10000000); /* the other one is still used */
    CHECK(s->kept_count != 0);
    const int before = s->sites[0].sessions;
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    CHECK(s->sites[0].sessions == before + 1);
    finish(s);
}

/* A copy that is made for a request that is refused counts like any other until it expires. */
static void a_copy_for_a_refused_request_goes(void) {
    shared *const s = begin();
    visitor v;
    visitor stranger;
    open_at(s, 0, &v);
    site_stop(s->sites + 1);
    s->sites[1].config.max_sessions = 1;
    CHECK(start(s, 1));
    visitor other = at_other(s, &v);
    visitor_lines(other.lines, v.id, "MCP-Protocol-Version: x\n");
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 400 && s->sites[1].sessions == 1);
    CHECK(visitor_open_by(s->sites + 1, &stranger, INITIALIZE("2025-11-25")) == 503);
    mcpw_http_advance(s->sites[1].http, 1);
    mcpw_http_advance(s->sites[1].http, 10000);
    mcpw_http_advance(s->sites[1].http, 10000000);
    CHECK(visitor_open_by(s->sites + 1, &stranger, INITIALIZE("2025-11-25")) == 200);
    finish(s);
}

static void what_cannot_be_reached_is_503(void) {
    shared *const s = begin();
    visitor v;
    visitor none;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    s->is_away = true;
    CHECK(visitor_open_by(s->sites, &none, INITIALIZE("2025-11-25")) == 503);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 503);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200); /* whose copy is there */
    s->is_away = false;
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    finish(s);
}

/* ---- What its client says ---- */

static void an_answer_reaches_who_has_asked(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    char message[VISITOR_TEXT];
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("asks"));
    site_take(e, &r);
    const char *const id = strstr(r.body, "\"id\":");
    CHECK(r.streams && id != NULL);
    (void)snprintf(message, sizeof message, "{'jsonrpc':'2.0',%.*s,'result':{'roots':[]}}",
                   id != NULL ? (int)strcspn(id, ",}") : 0, id);
    CHECK(visitor_say(&other, message)->status == 202);
    hear(s);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'text':'asked'"));
    mcpw_http_close(e);
    finish(s);
}

static void input_requests_of_two_processes_have_different_ids(void) {
    shared *const s = begin();
    visitor v;
    response a = {0};
    response b = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const one = visitor_post(&v, CALL_TOOL("asks"));
    mcpw_http_exchange *const two = visitor_post(&other, CALL_AS("3", "asks"));
    site_take(one, &a);
    site_take(two, &b);
    const char *const first = strstr(a.body, "\"id\":");
    const char *const second = strstr(b.body, "\"id\":");
    CHECK(first != NULL && second != NULL && strncmp(first, second, strcspn(first, ",")) != 0);
    mcpw_http_close(one);
    mcpw_http_close(two);
    finish(s);
}

static void a_cancellation_reaches_the_request(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("keep"));
    CHECK(visitor_say(&other, CANCEL_TOOL)->status == 202);
    CHECK(s->sites[0].cancels == 0);
    hear(s);
    CHECK(s->sites[0].cancels == 1);
    const response *const r = site_finish(e);
    CHECK(r->ended && r->status == 200 && r->streams && r->len == 0);
    finish(s);
}

/* ---- Streams ---- */

static void a_stream_goes_on_where_its_server_was_killed(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    char primed[VISITOR_ID];
    const char *const first = strstr(r.body, "id: ");
    (void)snprintf(primed, sizeof primed, "%.*s", first != NULL ? (int)strcspn(first + 4, "\n") : 0,
                   first + 4);
    mcpw_http_close(e);
    kill_site(s, 0);
    const response *const again = site_finish(visitor_get(&other, primed));
    CHECK(again->ended && again->status == 200 && count_of(again->body, "notifications/progress") == 1);
    CHECK(site_has(again->body, "retry: 1000\n"));
    char last[VISITOR_ID];
    (void)snprintf(last, sizeof last, "%s", last_id(again->body));
    const response *const rest = site_finish(visitor_get(&other, last));
    CHECK(rest->ended && rest->status == 200 && count_of(rest->body, "notifications/progress") == 0);
    site_stop(s->sites + 1);
}

static void who_asks_elsewhere_gets_the_answer_when_it_is_there(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    char last[VISITOR_ID];
    (void)snprintf(last, sizeof last, "%s", last_id(r.body));
    mcpw_http_close(e);
    CHECK(count_of(site_finish(visitor_get(&other, last))->body, "jsonrpc") == 0);
    CHECK(mcpw_respond_text(s->sites[0].kept[0], MCPW_STR_VALUE("done")) == MCPW_OK);
    CHECK(mcpw_http_ready(s->sites[0].http) == NULL);
    const response *const again = site_finish(visitor_get(&other, last));
    CHECK(count_of(again->body, "'jsonrpc'") == 0 && count_of(again->body, "\"jsonrpc\"") == 1 &&
          site_has(again->body, "'text':'done'"));
    finish(s);
}

static void the_own_stream_of_a_session_goes_on_elsewhere(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    response again = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const first = visitor_get(&v, NULL);
    add_tool(s, 1, "one");
    hear(s);
    site_take(first, &r);
    CHECK(count_of(r.body, "tools/list_changed") == 1);
    char last[VISITOR_ID];
    (void)snprintf(last, sizeof last, "%s", last_id(r.body));
    mcpw_http_close(first);
    add_tool(s, 0, "two"); /* which nobody reads, and this process is gone */
    hear(s);
    kill_site(s, 0);
    add_tool(s, 1, "three");
    mcpw_http_exchange *const second = visitor_get(&other, last);
    site_take(second, &again);
    CHECK(count_of(again.body, "tools/list_changed") == 2);
    hear(s); /* what comes by the log now was said again already */
    site_take(second, &again);
    CHECK(count_of(again.body, "tools/list_changed") == 2 && !again.ended);
    add_tool(s, 1, "four");
    hear(s);
    site_take(second, &again);
    CHECK(count_of(again.body, "tools/list_changed") == 3);
    mcpw_http_close(second);
    site_stop(s->sites + 1);
}

/* Each response ends where the log could not be read any further in time, and the next one begins there. */
static void a_stream_goes_on_after_many_entries_of_others(void) {
    enum { OTHERS = 20, PASS = 8 };
    shared *const s = begin();
    visitor v;
    response r = {0};
    char last[VISITOR_ID];
    open_at(s, 0, &v);
    mcpw_http_exchange *first = visitor_get(&v, NULL);
    site_take(first, &r);
    (void)snprintf(last, sizeof last, "%s", last_id(r.body));
    mcpw_http_close(first);
    for (int i = 0; i < OTHERS; i++) {
        CHECK(say(s, MCPW_STR_VALUE("9 to nobody {}")) == MCPW_OK);
    }
    add_tool(s, 1, "new");
    s->pass = PASS;
    int tries = 0;
    int told = 0;
    do {
        memset(&r, 0, sizeof r);
        first = visitor_get(&v, last);
        site_take(first, &r);
        (void)snprintf(last, sizeof last, "%s", last_id(r.body));
        mcpw_http_close(first);
        tries++;
        told += count_of(r.body, "tools/list_changed");
    } while (r.ended && tries <= OTHERS);
    CHECK(tries > 1 && !r.ended && told == 1);
    finish(s);
}

static void a_stream_is_read_in_one_process(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const first = visitor_get(&v, NULL);
    mcpw_http_exchange *const second = visitor_get(&other, NULL);
    hear(s);
    site_take(first, &r);
    CHECK(r.ended);
    mcpw_http_close(first);
    mcpw_http_close(second);
    finish(s);
}

/* Whether the own stream, which is read at the first process, goes on after a request to the second. */
static bool goes_on_after(int status, const char *after) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const first = visitor_get(&v, NULL);
    hear(s);
    CHECK(site_finish(visitor_get(&other, after))->status == status);
    hear(s);
    site_take(first, &r);
    const bool goes_on = !r.ended;
    mcpw_http_close(first);
    finish(s);
    return goes_on;
}

static void a_get_that_is_refused_leaves_the_stream_to_its_reader(void) { CHECK(goes_on_after(400, "x")); }

static void a_get_of_another_stream_leaves_the_own_one_to_its_reader(void) {
    CHECK(goes_on_after(200, "4294967297-0"));
}

/* The memory is that of the first process. */
static void what_others_send_to_a_slow_reader_has_a_limit(void) {
    enum { ENTRY = 1 << 20, ENTRIES = 40, MOST = 24 << 20 };
    static char entry[ENTRY];
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const size_t before = s->sites[0].memory.in_use;
    mcpw_http_exchange *const slow = visitor_get(&v, NULL);
    hear(s);
    memset(entry, 'x', sizeof entry);
    const int len = snprintf(entry, sizeof entry, "9 to %s ", v.id);
    entry[len] = 'x';
    for (uint64_t i = 0; i < ENTRIES; i++) {
        s->hears[0](s->hearers[0], MOST_ENTRIES + i, (mcpw_str){entry, sizeof entry});
    }
    CHECK(s->sites[0].memory.in_use - before < 2 * (size_t)MOST);
    site_take(slow, &r);
    CHECK(r.ended);
    mcpw_http_close(slow);
    mcpw_http_exchange *const again = visitor_get(&v, NULL);
    memset(&r, 0, sizeof r);
    site_take(again, &r);
    CHECK(r.status == 200 && !r.ended);
    mcpw_http_close(again);
    finish(s);
}

#define WATCH(id, method)                                                                                    \
    "{'jsonrpc':'2.0','id':" id ",'method':'resources/" method "','params':{'uri':'file:///news'}}"

static void a_subscription_holds_in_all_processes(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&v, WATCH("4", "subscribe"))->status == 200);
    hear(s);
    mcpw_http_exchange *const reads = visitor_get(&other, NULL);
    mcpw_server_resource_updated(s->sites[0].tools, "file:///news");
    mcpw_server_resource_updated(s->sites[0].tools, "file:///else");
    hear(s);
    site_take(reads, &r);
    CHECK(count_of(r.body, "resources/updated") == 1);
    CHECK(visitor_say(&v, WATCH("5", "unsubscribe"))->status == 200);
    hear(s);
    mcpw_server_resource_updated(s->sites[0].tools, "file:///news");
    hear(s);
    site_take(reads, &r);
    CHECK(count_of(r.body, "resources/updated") == 1);
    mcpw_http_close(reads);
    finish(s);
}

static void what_a_session_says_of_itself_reaches_its_reader(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const reads = visitor_get(&other, NULL);
    mcpw_session_log(s->sites[0].session, MCPW_LOG_WARNING, NULL, mcpw_json_from("\"by itself\""));
    CHECK(mcpw_http_ready(s->sites[0].http) == NULL);
    hear(s);
    site_take(reads, &r);
    CHECK(count_of(r.body, "by itself") == 1);
    mcpw_http_close(reads);
    finish(s);
}

/* ---- Requests that stand for themselves ---- */

static void a_subscription_hears_of_changes_elsewhere(void) {
    shared *const s = begin();
    response r = {0};
    mcpw_http_exchange *const e =
        site_post(s->sites, "Mcp-Method: subscriptions/listen",
                  "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen','params':{$M,'notifications':"
                  "{'toolsListChanged':true}}}",
                  HTTP_TEXT);
    site_take(e, &r);
    add_tool(s, 1, "there");
    hear(s);
    site_take(e, &r);
    CHECK(count_of(r.body, "tools/list_changed") == 1);
    add_tool(s, 0, "here");
    hear(s);
    site_take(e, &r);
    CHECK(count_of(r.body, "tools/list_changed") == 2);
    mcpw_http_close(e);
    finish(s);
}

/* ---- Misuse, memory ---- */

static void a_cluster_needs_a_number_and_a_store(void) {
    shared *const s = begin();
    mcpw_error error;
    mcpw_http_config config = s->sites[0].config;
    mcpw_http_cluster nameless = s->clusters[0];
    config.store = NULL;
    CHECK(mcpw_http_server_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    nameless.number = 0;
    config = s->sites[0].config;
    config.cluster = &nameless;
    CHECK(mcpw_http_server_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    finish(s);
}

static void entries_that_nobody_understands_are_passed_over(void) {
    static const char *const entries[] = {"",
                                          "x",
                                          "9",
                                          "9 changed",
                                          "9 changed prices",
                                          "9 to",
                                          "9 to nobody {}",
                                          "9 from nobody {}",
                                          "-1 changed tools",
                                          "9 sings SONG"};
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        s->hears[0](s->hearers[0], 1000 + i, mcpw_str_from(entries[i]));
    }
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    finish(s);
}

/* A request without memory is not served, and nothing is lost: the next one is served. */
static void a_copy_without_memory_is_made_later(void) {
    size_t failed = 0;
    for (size_t left = 0; left < 200; left++) {
        shared *const s = begin();
        visitor v;
        open_at(s, 0, &v);
        const visitor other = at_other(s, &v);
        s->sites[1].memory.fail_at = s->sites[1].memory.calls + left + 1;
        const int status = visitor_say(&other, LIST_TOOLS)->status;
        s->sites[1].memory.fail_at = 0;
        failed += status != 200;
        CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
        finish(s);
    }
    CHECK(failed > 4);
}

/* A client's way through both servers: each status is right, or says that it cannot be done now, and a change
 * is told once or the stream is over. */
static void go_through(shared *s) {
    visitor v;
    response own = {0};
    char id[VISITOR_ID];
    const int opened = visitor_open_by(s->sites, &v, INITIALIZE("2025-11-25"));
    CHECK(opened == 200 || opened == 503);
    if (opened != 200) {
        return;
    }
    const visitor other = at_other(s, &v);
    const int ready = visitor_say(&v, "{'jsonrpc':'2.0','method':'notifications/initialized'}")->status;
    CHECK(ready == 202 || ready == 503);
    hear(s);
    mcpw_http_exchange *const listens = visitor_get(&other, NULL);
    site_take(listens, &own);
    CHECK((own.status == 200 && !own.ended) || own.ended);
    const response *const call = visitor_say(&other, CALL_TOOL("progress"));
    CHECK(call->status == 200 || call->status == 503);
    (void)snprintf(id, sizeof id, "%s", call->streams ? last_id(call->body) : "");
    hear(s);
    add_tool(s, 0, "new");
    hear(s);
    site_take(listens, &own);
    CHECK(count_of(own.body, "list_changed") <= 1);
    mcpw_http_close(listens);
    const int cancelled = visitor_say(&v, CANCEL_TOOL)->status;
    CHECK(cancelled == 202 || cancelled == 503);
    hear(s);
    const response *const resumed = site_finish(visitor_get(&v, id[0] != '\0' ? id : "0-0"));
    CHECK(resumed->status == 200 || resumed->status == 503);
    CHECK(visitor_leave(&other)->status == 204 || s->fails_at != 0);
    hear(s);
}

static void each_call_may_fail(void) {
    shared *s = begin();
    s->calls = 0;
    go_through(s);
    const int calls = s->calls;
    finish(s);
    CHECK(calls > 10);
    for (int i = 1; i <= calls; i++) {
        s = begin();
        s->calls = 0;
        s->fails_at = i;
        go_through(s);
        finish(s);
    }
}

/* A change that others could not learn is refused, so that the client asks again. */
static void what_cannot_be_kept_is_answered_503(void) {
    static const char ready[] = "{'jsonrpc':'2.0','method':'notifications/initialized'}";
    static const char subscribe[] = "{'jsonrpc':'2.0','id':5,'method':'resources/subscribe','params':{'uri':"
                                    "'file:///news'}}";
    shared *const s = begin();
    visitor v;
    CHECK(visitor_open_by(s->sites, &v, INITIALIZE("2025-11-25")) == 200);
    s->is_away = true;
    CHECK(visitor_say(&v, ready)->status == 503);
    s->is_away = false;
    CHECK(visitor_say(&v, ready)->status == 202);
    s->is_away = true;
    const response *const lost = visitor_say(&v, subscribe);
    CHECK(lost->status == 503 && lost->ended && !site_has(lost->body, "'result'"));
    s->is_away = false;
    CHECK(visitor_say(&v, subscribe)->status == 200);
    hear(s);
    const visitor other = at_other(s, &v);
    mcpw_http_exchange *const listens = visitor_get(&other, NULL);
    hear(s);
    mcpw_server_resource_updated(s->sites[0].tools, "file:///news");
    hear(s);
    response own = {0};
    site_take(listens, &own);
    CHECK(count_of(own.body, "notifications/resources/updated") == 1);
    mcpw_http_close(listens);
    finish(s);
}

static void what_cannot_be_passed_on_is_refused(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("keep"));
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    s->is_away = true;
    CHECK(visitor_say(&other, CANCEL_TOOL)->status == 503);
    s->is_away = false;
    s->most = sizeof CANCEL_TOOL;
    CHECK(visitor_say(&other, CANCEL_TOOL)->status == 413);
    hear(s);
    CHECK(s->sites[0].cancels == 0);
    s->most = 0;
    CHECK(visitor_say(&other, CANCEL_TOOL)->status == 202);
    hear(s);
    CHECK(s->sites[0].cancels == 1);
    mcpw_http_close(e);
    finish(s);
}

static void what_cannot_be_reached_is_answered_503_and_other_requests_are_served(void) {
    shared *const s = begin();
    visitor v;
    visitor stranger;
    open_at(s, 0, &v);
    s->is_away = true;
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 503);
    CHECK(site_finish(visitor_get(&other, "1-1"))->status == 503);
    CHECK(visitor_open_by(s->sites + 1, &stranger, INITIALIZE("2025-11-25")) == 503);
    CHECK(site_finish(site_call(s->sites + 1, "hello", ""))->status == 200);
    s->is_away = false;
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    finish(s);
}

/* ---- Records ---- */

static kept *part_of(shared *s, const visitor *v, const char *name) {
    return kept_of(s, mcpw_str_from(v->id), mcpw_str_from(name));
}

/* Whether anything that the processes share holds a text. */
static bool is_shared(const shared *s, const char *text) {
    for (size_t i = 0; i < s->kept_count; i++) {
        if (strstr(s->keeps[i].name, text) != NULL || strstr(s->keeps[i].text, text) != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < s->entry_count; i++) {
        if (strstr(s->entries[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

#define PADDED(id, method, params)                                                                           \
    "{'jsonrpc':'2.0'," id "'method':'" method "','params':{'_meta':{'x':'PADDING'}" params "}}"

static void a_record_holds_no_message(void) {
    shared *const s = begin();
    visitor v;
    CHECK(visitor_open_by(s->sites, &v,
                          PADDED("'id':1,", "initialize",
                                 ",'protocolVersion':'2025-11-25','capabilities':{},"
                                 "'clientInfo':{'name':'c','version':'1'}")) == 200);
    CHECK(visitor_say(&v, PADDED("", "notifications/initialized", ""))->status == 202);
    CHECK(visitor_say(&v, PADDED("'id':2,", "logging/setLevel", ",'level':'error'"))->status == 200);
    CHECK(visitor_say(&v, PADDED("'id':3,", "resources/subscribe", ",'uri':'file:///news'"))->status == 200);
    CHECK(visitor_say(&v, PADDED("'id':4,", "tools/list", ""))->status == 200);
    CHECK(!is_shared(s, "PADDING") && is_shared(s, "file:///news"));
    finish(s);
}

static void an_initialized_of_any_length_opens_the_session_everywhere(void) {
    enum { LONG = 1 << 21 };
    shared *const s = begin();
    visitor v;
    mcpw_status status;
    char *const message = malloc(LONG);
    static const char begins[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{"
                                 "\"_meta\":{\"x\":\"";
    CHECK(message != NULL && visitor_open_by(s->sites, &v, INITIALIZE("2025-11-25")) == 200);
    if (message != NULL) {
        memset(message, 'x', LONG);
        memcpy(message, begins, sizeof begins - 1);
        memcpy(message + LONG - 4, "\"}}}", 4);
        mcpw_http_exchange *const e = site_begin(s->sites, "POST", "/mcp", v.lines, &status);
        mcpw_http_body(e, message, LONG);
        mcpw_http_body_end(e);
        CHECK(site_finish(e)->status == 202);
    }
    hear(s);
    const visitor other = at_other(s, &v);
    response own = {0};
    mcpw_http_exchange *const reads = visitor_get(&other, NULL);
    add_tool(s, 0, "new");
    hear(s);
    site_take(reads, &own);
    CHECK(count_of(own.body, "tools/list_changed") == 1);
    mcpw_http_close(reads);
    free(message);
    finish(s);
}

static void refused_messages_leave_nothing_shared(void) {
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    const size_t parts = s->kept_count;
    const size_t entries = s->entry_count;
    static const char *const refused[] = {
        "{'jsonrpc':'2.0','id':5,'method':'logging/setLevel','params':{'level':'PADDING'}}",
        "{'jsonrpc':'2.0','id':5,'method':'logging/setLevel'}",
        "{'jsonrpc':'2.0','id':5,'method':'resources/subscribe','params':{'uri':5,'x':'PADDING'}}",
        "{'jsonrpc':'2.0','id':5,'method':'nothing/such','params':{'x':'PADDING'}}"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(site_has(visitor_say(&v, refused[i])->body, "'error'"));
    }
    s->most = 100;
    CHECK(
        visitor_say(&v, PADDED("", "notifications/cancelled", ",'requestId':2,'reason':'because'"))->status ==
        413);
    CHECK(s->kept_count == parts && s->entry_count == entries && !is_shared(s, "PADDING"));
    finish(s);
}

static void a_level_holds_in_all_processes(void) {
    shared *const s = begin();
    visitor v;
    response r = {0};
    open_at(s, 0, &v);
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200); /* it has a copy that hears of it */
    CHECK(visitor_say(&v, "{'jsonrpc':'2.0','id':5,'method':'logging/setLevel','params':{'level':'error'}}")
              ->status == 200);
    hear(s);
    for (int later = 0; later < 2; later++) {
        mcpw_http_exchange *const reads = visitor_get(&other, NULL);
        memset(&r, 0, sizeof r);
        mcpw_session_log(s->sites[1].session, MCPW_LOG_WARNING, NULL, mcpw_json_from("\"too little\""));
        mcpw_session_log(s->sites[1].session, MCPW_LOG_ERROR, NULL, mcpw_json_from("\"enough\""));
        (void)!mcpw_http_ready(s->sites[1].http);
        hear(s);
        site_take(reads, &r);
        CHECK(count_of(r.body, "enough") == 1 && count_of(r.body, "too little") == 0);
        mcpw_http_close(reads);
        kill_site(s, 1); /* the next copy knows it by the record */
        CHECK(start(s, 1));
        s->hears[1](s->hearers[1], s->entry_count, (mcpw_str){NULL, 0});
        CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    }
    finish(s);
}

static void a_session_that_ended_elsewhere_keeps_nothing_new(void) {
    static const char level[] =
        "{'jsonrpc':'2.0','id':5,'method':'logging/setLevel','params':{'level':'error'}}";
    shared *const s = begin();
    visitor v;
    open_at(s, 0, &v);
    s->kept_count = 0; /* and nobody has heard of it here */
    CHECK(visitor_say(&v, level)->status == 404);
    CHECK(visitor_say(&v, "{'jsonrpc':'2.0','method':'notifications/initialized'}")->status == 404);
    CHECK(s->kept_count == 0);
    finish(s);
}

static shared *begin_with_room(size_t bytes) {
    shared *const s = begin();
    for (size_t i = 0; i < SITES; i++) {
        kill_site(s, i);
        s->sites[i].config.max_record_bytes = bytes;
        CHECK(start(s, i));
    }
    return s;
}

static void a_session_with_more_to_remember_than_is_shared_is_refused(void) {
    shared *const s = begin_with_room(300);
    visitor v;
    CHECK(visitor_open_by(
              s->sites, &v,
              "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':"
              "'2025-11-25','capabilities':{'experimental':{'a':{'text':"
              "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "'}}},'clientInfo':{'name':'c','version':'1'}}}") == 413);
    CHECK(s->kept_count == 0 && v.id[0] == '\0');
    CHECK(visitor_open_by(s->sites, &v, INITIALIZE("2025-11-25")) == 200);
    finish(s);
}

static void subscriptions_beyond_the_record_are_refused(void) {
    enum { MANY = 40 };
    shared *const s = begin_with_room(1000);
    visitor v;
    char message[VISITOR_TEXT];
    int granted = 0;
    int status = 200;
    open_at(s, 0, &v);
    for (int i = 0; i < MANY && status == 200; i++) {
        (void)snprintf(
            message, sizeof message,
            "{'jsonrpc':'2.0','id':9,'method':'resources/subscribe','params':{'uri':'file:///%d'}}", i);
        status = visitor_say(&v, message)->status;
        granted += status == 200;
    }
    CHECK(status == 413 && granted > 3 && granted < MANY);
    (void)snprintf(message, sizeof message, "watch file:///%d", granted - 1);
    CHECK(part_of(s, &v, message) != NULL);
    (void)snprintf(message, sizeof message, "watch file:///%d", granted);
    CHECK(part_of(s, &v, message) == NULL);
    CHECK(visitor_say(&v, "{'jsonrpc':'2.0','id':9,'method':'resources/unsubscribe','params':{'uri':"
                          "'file:///0'}}")
              ->status == 200);
    CHECK(visitor_say(&v, "{'jsonrpc':'2.0','id':9,'method':'resources/subscribe','params':{'uri':"
                          "'file:///n'}}")
              ->status == 200);
    const visitor other = at_other(s, &v);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    finish(s);
}

#define RECORD(version, principal, revision, info, capabilities)                                             \
    "{'version':" version ",'principal':" principal ",'protocolVersion':" revision ",'clientInfo':" info     \
    ",'capabilities':" capabilities "}"
#define ALICE "'YWxpY2U='"
#define INFO "{'name':'c','version':'1'}"
#define THEN "'2025-11-25'"

/* A text in the place of a part, and the status by which requests of the session are answered then. */
typedef struct damage {
    const char *name;
    const char *text; /* NULL: the part is missing */
    int status;
} damage;

static const damage damages[] = {
    {"session", RECORD("1", ALICE, THEN, INFO, "{}"), 200},
    {"session", RECORD("1", ALICE, THEN, INFO, "{},'later':[]"), 200},
    {"session", NULL, 404},
    {"session", "", 404},
    {"session", " ", 404},
    {"session", "x", 404},
    {"session", "{", 404},
    {"session", "{}", 404},
    {"session", "[]", 404},
    {"session", "null", 404},
    {"session", "1", 404},
    {"session", "'version'", 404},
    {"session", "\xFF\xFE", 404},
    {"session", RECORD("1", ALICE, THEN, INFO, "{}") "}", 404},
    {"session", RECORD("1", ALICE, THEN, INFO, "{"), 404},
    {"session", RECORD("0", ALICE, THEN, INFO, "{}"), 404},
    {"session", RECORD("-1", ALICE, THEN, INFO, "{}"), 404},
    {"session", RECORD("'1'", ALICE, THEN, INFO, "{}"), 404},
    {"session", RECORD("1e400", ALICE, THEN, INFO, "{}"), 404},
    {"session", RECORD("2", ALICE, THEN, INFO, "{}"), 503},
    {"session", "{'version':2,'all':'else is new'}", 503},
    {"session", RECORD("1", "'bWFsbG9yeQ=='", THEN, INFO, "{}"), 404},
    {"session", RECORD("1", "''", THEN, INFO, "{}"), 404},
    {"session", RECORD("1", "'*'", THEN, INFO, "{}"), 404},
    {"session", RECORD("1", "5", THEN, INFO, "{}"), 404},
    {"session", RECORD("1", "'\\uD800'", THEN, INFO, "{}"), 404},
    {"session", RECORD("1", ALICE, "5", INFO, "{}"), 404},
    {"session", RECORD("1", ALICE, "'1999-12-31'", INFO, "{}"), 404},
    {"session", RECORD("1", ALICE, "'2026-07-28'", INFO, "{}"), 404},
    {"session", RECORD("1", ALICE, THEN, "5", "{}"), 404},
    {"session", RECORD("1", ALICE, THEN, "{'name':'c'}", "{}"), 404},
    {"session", RECORD("1", ALICE, THEN, "{'name':5,'version':'1'}", "{}"), 404},
    {"session", RECORD("1", ALICE, THEN, INFO, "[]"), 404},
    {"session", RECORD("1", ALICE, THEN, INFO, "{'roots':5}"), 404},
    {"session", RECORD("1", ALICE, THEN, INFO, "{},'capabilities':{}"), 404},
    {"session", "{'version':1,'principal':" ALICE ",'protocolVersion':'2025-11-25','clientInfo':" INFO "}",
     404},
    {"initialized", "", 200},
    {"initialized", "\xFF", 200},
    {"level", "", 200},
    {"level", "loud", 200},
    {"level", "error error", 200},
    {"watch ", "true", 200},
    {"watch \xFF\xFE", "true", 200},
    {"watch file:///nothing-such", "", 200},
    {"a part of tomorrow", "{}", 200},
};

/* Puts a text in the place of a part of a session's record. */
static void spoil(shared *s, const visitor *v, const damage *d) {
    kept *k = part_of(s, v, d->name);
    if (d->text == NULL) {
        *k = s->keeps[--s->kept_count];
        return;
    }
    k = k != NULL ? k : s->keeps + s->kept_count++;
    (void)snprintf(k->session, sizeof k->session, "%s", v->id);
    (void)snprintf(k->name, sizeof k->name, "%s", d->name);
    site_write(k->text, sizeof k->text, d->text);
}

static void a_record_that_cannot_be_read_costs_its_own_session_alone(void) {
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        shared *const s = begin();
        visitor v;
        visitor w;
        open_at(s, 0, &v);
        open_at(s, 0, &w);
        spoil(s, &v, damages + i);
        const visitor other = at_other(s, &v);
        const visitor intact = at_other(s, &w);
        const int status = visitor_say(&other, LIST_TOOLS)->status;
        CHECK(status == damages[i].status);
        if (status != damages[i].status) {
            (void)fprintf(stderr, "%s: %s\n", damages[i].name, damages[i].text);
        }
        CHECK(visitor_say(&intact, LIST_TOOLS)->status == 200);
        CHECK(visitor_say(&v, LIST_TOOLS)->status == 200); /* whose copy is there */
        finish(s);
    }
}

static void a_record_that_is_too_long_costs_its_own_session_alone(void) {
    shared *const s = begin_with_room(250);
    const damage padding = {
        "a part of tomorrow",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        404};
    visitor v;
    visitor w;
    open_at(s, 0, &v);
    open_at(s, 0, &w);
    spoil(s, &v, &padding);
    const visitor other = at_other(s, &v);
    const visitor intact = at_other(s, &w);
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 404);
    CHECK(visitor_say(&intact, LIST_TOOLS)->status == 200);
    finish(s);
}

static void a_change_of_every_resource_is_told_of_each(void) {
    shared *const s = begin();
    visitor v;
    response own = {0};
    response again = {0};
    char message[VISITOR_TEXT];
    open_at(s, 0, &v);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(
            message, sizeof message,
            "{'jsonrpc':'2.0','id':9,'method':'resources/subscribe','params':{'uri':'file:///%d'}}", i);
        CHECK(visitor_say(&v, message)->status == 200);
    }
    hear(s);
    mcpw_http_exchange *const reads = visitor_get(&v, NULL);
    CHECK(say(s, MCPW_STR_VALUE("9 changed resource")) == MCPW_OK);
    hear(s);
    add_tool(s, 1, "there");
    hear(s);
    site_take(reads, &own);
    CHECK(count_of(own.body, "resources/updated") == 3 && count_of(own.body, "tools/list_changed") == 1);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(message, sizeof message, "file:///%d", i);
        CHECK(count_of(own.body, message) == 1);
    }
    char first[VISITOR_ID];
    const char *const at = strstr(own.body, "id: ");
    const char *const second = at != NULL ? strstr(at + 1, "id: ") : NULL;
    (void)snprintf(first, sizeof first, "%.*s", second != NULL ? (int)strcspn(second + 4, "\n") : 0,
                   second != NULL ? second + 4 : "");
    mcpw_http_close(reads); /* as if it was lost after the first of them */
    mcpw_http_exchange *const later = visitor_get(&v, first);
    site_take(later, &again);
    CHECK(count_of(again.body, "resources/updated") == 3 && count_of(again.body, "tools/list_changed") == 1);
    mcpw_http_close(later);
    finish(s);
}

static void a_change_of_a_list_names_no_resource(void) {
    shared *const s = begin();
    visitor v;
    response own = {0};
    response alone = {0};
    open_at(s, 0, &v);
    mcpw_http_exchange *const reads = visitor_get(&v, NULL);
    mcpw_http_exchange *const e =
        site_post(s->sites, "Mcp-Method: subscriptions/listen",
                  "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen','params':{$M,'notifications':"
                  "{'toolsListChanged':true}}}",
                  HTTP_TEXT);
    add_tool(s, 1, "there");
    hear(s);
    s->hears[0](s->hearers[0], 1000, MCPW_STR_VALUE("9 changed tools file:///news"));
    s->hears[0](s->hearers[0], 1001, (mcpw_str){NULL, 0});
    site_take(reads, &own);
    site_take(e, &alone);
    CHECK(count_of(own.body, "tools/list_changed") == 2 && !site_has(own.body, "'uri'"));
    CHECK(count_of(alone.body, "tools/list_changed") == 2 && !site_has(alone.body, "'uri'"));
    mcpw_http_close(reads);
    mcpw_http_close(e);
    finish(s);
}

int main(void) {
    check_test = "keeps_sessions";
    if (!keeps_sessions()) {
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(a_session_is_served_by_any_process);
    RUN(who_has_opened_it_is_gone);
    RUN(a_session_is_its_principals_everywhere);
    RUN(a_session_that_ends_ends_everywhere);
    RUN(a_session_that_was_forgotten_is_over);
    RUN(a_copy_that_nobody_uses_goes_and_comes_back);
    RUN(a_copy_for_a_refused_request_goes);
    RUN(what_cannot_be_reached_is_503);
    RUN(an_answer_reaches_who_has_asked);
    RUN(input_requests_of_two_processes_have_different_ids);
    RUN(a_cancellation_reaches_the_request);
    RUN(a_stream_goes_on_where_its_server_was_killed);
    RUN(who_asks_elsewhere_gets_the_answer_when_it_is_there);
    RUN(the_own_stream_of_a_session_goes_on_elsewhere);
    RUN(a_stream_goes_on_after_many_entries_of_others);
    RUN(a_stream_is_read_in_one_process);
    RUN(a_get_that_is_refused_leaves_the_stream_to_its_reader);
    RUN(a_get_of_another_stream_leaves_the_own_one_to_its_reader);
    RUN(what_others_send_to_a_slow_reader_has_a_limit);
    RUN(a_subscription_holds_in_all_processes);
    RUN(what_a_session_says_of_itself_reaches_its_reader);
    RUN(a_subscription_hears_of_changes_elsewhere);
    RUN(a_cluster_needs_a_number_and_a_store);
    RUN(entries_that_nobody_understands_are_passed_over);
    RUN(each_call_may_fail);
    RUN(what_cannot_be_passed_on_is_refused);
    RUN(what_cannot_be_kept_is_answered_503);
    RUN(what_cannot_be_reached_is_answered_503_and_other_requests_are_served);
    RUN(a_copy_without_memory_is_made_later);
    RUN(a_record_holds_no_message);
    RUN(an_initialized_of_any_length_opens_the_session_everywhere);
    RUN(refused_messages_leave_nothing_shared);
    RUN(a_level_holds_in_all_processes);
    RUN(a_session_that_ended_elsewhere_keeps_nothing_new);
    RUN(a_session_with_more_to_remember_than_is_shared_is_refused);
    RUN(subscriptions_beyond_the_record_are_refused);
    RUN(a_record_that_cannot_be_read_costs_its_own_session_alone);
    RUN(a_record_that_is_too_long_costs_its_own_session_alone);
    RUN(a_change_of_a_list_names_no_resource);
    RUN(a_change_of_every_resource_is_told_of_each);
    return check_end();
}
