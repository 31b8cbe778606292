/* SPDX-License-Identifier: MIT */
/* The rules of a response: one status, a JSON text or a stream of events, each message one of the
 * revision in which it is said, nothing that is another session's, and in a session no event that is
 * numbered like another one. */
#include "http_stage.h"

#include <mcpw/detail/protocol.h>
#include <mcpw/json.h>

static const mcpw_str json_type = MCPW_STR("application/json");
static const mcpw_str stream_type = MCPW_STR("text/event-stream");

static bool is_verbose(void) { return getenv("MCPW_FUZZ_VERBOSE") != NULL; }

/* ---- Messages ---- */

static const mcpw_revision *revision_of(const stage_slot *slot) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    return slot->client != NULL ? slot->client->revision : all[count - 1];
}

static const known_requests *known_of(const stage_slot *slot) {
    return slot->client != NULL ? &slot->client->known : &slot->known;
}

static void check_message(const stage_slot *slot, mcpw_str text) {
    mcpw_error error = {0};
    const bool good = known_is_message(known_of(slot), revision_of(slot), 0, text.ptr, text.len, &error);
    if (!good) {
        (void)fprintf(stderr, "%s: %s: %s\n%.*s\n", mcpw_revision_name(revision_of(slot)), error.path,
                      error.message, (int)text.len, text.ptr);
    }
    FUZZ_ASSERT(good);
    FUZZ_ASSERT(fuzz_is_one_line(text.ptr, text.len));
}

/* A state that it is given goes with what the client sends again. */
static void keep_state(stage_slot *slot, mcpw_json message) {
    side *const s = &slot->of->side;
    mcpw_json at = {NULL, 0, 0};
    if (mcpw_json_get(message, "result", &at) == MCPW_OK &&
        mcpw_json_get(at, "requestState", &at) == MCPW_OK && at.len < sizeof s->state) {
        (void)snprintf(s->state, sizeof s->state, "%.*s", (int)at.len, at.ptr);
    }
}

/* Counts an answer to the request of the exchange. */
static void count_reply(stage_slot *slot, mcpw_str text) {
    const mcpw_json message = mcpw_json_of(text.ptr, text.len);
    const mcpw_json body = mcpw_json_of(slot->body, slot->body_len);
    mcpw_json id;
    mcpw_json asked;
    mcpw_json method;
    slot->replied_last = mcpw_json_get(message, "id", &id) == MCPW_OK &&
                         mcpw_json_get(message, "method", &method) != MCPW_OK &&
                         mcpw_json_get(body, "id", &asked) == MCPW_OK && mcpw_json_equal(id, asked);
    slot->replies += slot->replied_last;
    keep_state(slot, message);
}

/* A refusal must be clear, whatever the revision. */
static void check_refusal(mcpw_str text) {
    const mcpw_json message = mcpw_json_of(text.ptr, text.len);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json error = {NULL, 0, 0};
    mcpw_str why = {NULL, 0};
    int64_t code = 0;
    FUZZ_SAME(mcpw_json_check(message, 0, NULL), MCPW_OK, "a refusal");
    FUZZ_SAME(mcpw_json_get(message, "error", &error), MCPW_OK, "its error");
    FUZZ_SAME(mcpw_json_get_int(error, "code", &code), MCPW_OK, "its code");
    FUZZ_SAME(mcpw_json_get_string(error, "message", &arena, &why), MCPW_OK, "its message");
    FUZZ_ASSERT(code != 0 && why.len != 0 && fuzz_is_one_line(text.ptr, text.len));
    mcpw_arena_free(&arena);
}

/* ---- The head ---- */

static const mcpw_http_field *field_of(const mcpw_http_output *head, const char *name) {
    const mcpw_http_field *found = NULL;
    for (size_t i = 0; i < head->field_count; i++) {
        FUZZ_ASSERT(fuzz_is_one_line(head->fields[i].value.ptr, head->fields[i].value.len));
        if (mcpw_str_is(head->fields[i].name, name)) {
            FUZZ_ASSERT(found == NULL);
            found = head->fields + i;
        }
    }
    return found;
}

/* The revision that the result of initialize names. */
static const mcpw_revision *settled_by(mcpw_str text) {
    const mcpw_json message = mcpw_json_of(text.ptr, text.len);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json result = {NULL, 0, 0};
    mcpw_str version = {NULL, 0};
    FUZZ_SAME(mcpw_json_get(message, "result", &result), MCPW_OK, "the result of initialize");
    FUZZ_SAME(mcpw_json_get_string(result, "protocolVersion", &arena, &version), MCPW_OK, "its version");
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    size_t i = 0;
    while (i < count && !mcpw_str_is(version, mcpw_revision_wire(all[i]))) {
        i++;
    }
    FUZZ_ASSERT(i < count);
    mcpw_arena_free(&arena);
    return all[i];
}

static void meet_client(stage_slot *slot, mcpw_str id, mcpw_str text) {
    stage *const s = slot->of;
    const mcpw_str body = {slot->body, slot->body_len};
    FUZZ_ASSERT(slot->client == NULL && stage_client_of(s, id) == NULL);
    stage_client *const client = s->clients + s->client_count % STAGE_CLIENTS;
    FUZZ_ASSERT(id.len != 0 && id.len < sizeof client->id);
    if (s->client_count == STAGE_CLIENTS) { /* no more are looked at: they go on without a name */
        return;
    }
    s->client_count++;
    (void)snprintf(client->id, sizeof client->id, "%.*s", (int)id.len, id.ptr);
    client->principal = slot->principal;
    client->revision = settled_by(text);
    stage_expect(&client->known, client->revision, body);
    slot->client = client;
}

static void check_status(const stage_slot *slot, int status) {
    static const int possible[] = {200, 202, 204, 400, 403, 404, 405, 406, 408, 409, 413, 415, 431, 503};
    size_t i = 0;
    while (i < sizeof possible / sizeof *possible && possible[i] != status) {
        i++;
    }
    FUZZ_ASSERT(i < sizeof possible / sizeof *possible || (status == 500 && slot->of->memory.failed));
}

/* Whether a session is served to its own principal, and until its end. */
static void check_access(stage_slot *slot, int status) {
    stage_client *const client = slot->client;
    if (client == NULL || status >= 300) {
        return;
    }
    FUZZ_ASSERT(!slot->is_late);
    FUZZ_ASSERT(client->principal == slot->principal);
    client->is_over = client->is_over || status == 204;
}

/* A body that comes at once. */
static void check_whole(stage_slot *slot, int status, mcpw_str text) {
    if (status >= 300) {
        check_refusal(text);
        return;
    }
    check_message(slot, text);
    count_reply(slot, text);
}

void stage_check_head(stage_slot *slot, const mcpw_http_output *head) {
    const mcpw_http_field *const type = field_of(head, "Content-Type");
    const mcpw_http_field *const session = field_of(head, "Mcp-Session-Id");
    if (is_verbose()) {
        (void)fprintf(stderr, "%u: %d %.*s\n", slot->number, head->status, (int)head->bytes.len,
                      head->bytes.ptr != NULL ? head->bytes.ptr : "");
    }
    slot->status = head->status;
    slot->streams = head->streams;
    check_status(slot, head->status);
    check_access(slot, head->status);
    if (session != NULL) {
        FUZZ_ASSERT(head->status == 200 && !head->streams);
        meet_client(slot, session->value, head->bytes);
    }
    if (head->streams) {
        FUZZ_ASSERT(head->status == 200 && head->bytes.len == 0 && mcpw_str_equal(type->value, stream_type));
    } else if (type == NULL) {
        FUZZ_ASSERT((head->status == 202 || head->status == 204) && head->bytes.len == 0);
    } else {
        FUZZ_ASSERT(head->bytes.len != 0 && mcpw_str_equal(type->value, json_type));
        check_whole(slot, head->status, head->bytes);
    }
}

/* ---- Events ---- */

static unsigned hash_of(mcpw_str text) {
    unsigned hash = 5381;
    for (size_t i = 0; i < text.len; i++) {
        hash = hash * 33 ^ (unsigned char)text.ptr[i];
    }
    return hash;
}

/* One with a number says the same whenever it comes. */
static void remember(stage_client *client, uint64_t stream, uint64_t number, mcpw_str data) {
    const stage_event e = {stream, number, hash_of(data)};
    const size_t held = client->event_count < STAGE_EVENTS ? client->event_count : STAGE_EVENTS;
    for (size_t i = 0; i < held; i++) {
        const stage_event *const other = client->events + i;
        if (other->stream == stream && other->number == number) {
            FUZZ_ASSERT(other->hash == e.hash);
            return;
        }
    }
    client->events[client->event_count++ % STAGE_EVENTS] = e;
}

typedef struct event {
    bool has_id;
    uint64_t stream;
    uint64_t number;
    bool has_retry;
    bool has_data;
    mcpw_str data;
} event;

/* The line of a field without its name; absent: it is another one. */
static mcpw_str behind(mcpw_str line, const char *name) {
    const size_t len = strlen(name);
    const bool is_it = line.len >= len && memcmp(line.ptr, name, len) == 0;
    return is_it ? (mcpw_str){line.ptr + len, line.len - len} : (mcpw_str){NULL, 0};
}

static void read_line(event *e, mcpw_str line) {
    enum { ROOM = 64 };
    char text[ROOM];
    unsigned long long stream = 0;
    unsigned long long number = 0;
    const mcpw_str id = behind(line, "id: ");
    if (id.ptr != NULL) {
        FUZZ_ASSERT(!e->has_id && id.len < sizeof text);
        (void)snprintf(text, sizeof text, "%.*s", (int)id.len, id.ptr);
        FUZZ_ASSERT(sscanf(text, "%llu-%llu", &stream, &number) == 2); // NOLINT(cert-err34-c): of our own
        e->has_id = true;
        e->stream = stream;
        e->number = number;
    } else if (behind(line, "retry: ").ptr != NULL) {
        FUZZ_ASSERT(!e->has_retry);
        e->has_retry = true;
    } else {
        e->data = behind(line, "data: ");
        FUZZ_ASSERT(e->data.ptr != NULL && !e->has_data);
        e->has_data = true;
    }
}

static void check_number(stage_slot *slot, const event *e) {
    FUZZ_ASSERT(slot->client != NULL);
    FUZZ_ASSERT(slot->event == 0 || slot->stream == e->stream);
    FUZZ_ASSERT(e->data.len == 0 ? e->number >= slot->event : e->number > slot->event);
    slot->stream = e->stream;
    slot->event = e->number;
    if (e->data.len != 0) {
        remember(slot->client, e->stream, e->number, e->data);
    }
}

static void check_event(stage_slot *slot, const event *e) {
    FUZZ_ASSERT(e->has_data);
    FUZZ_ASSERT(e->has_id == (slot->client != NULL));
    FUZZ_ASSERT(e->has_retry == (e->data.len == 0) && (!e->has_retry || e->has_id));
    if (e->has_id) {
        check_number(slot, e);
    }
    if (e->data.len != 0) {
        check_message(slot, e->data);
        count_reply(slot, e->data);
    }
}

void stage_check_events(stage_slot *slot, mcpw_str bytes) {
    if (is_verbose()) {
        (void)fprintf(stderr, "%u: %.*s", slot->number, (int)bytes.len, bytes.ptr);
    }
    event e = {0};
    bool is_begun = false;
    while (bytes.len != 0) {
        const char *const end = memchr(bytes.ptr, '\n', bytes.len);
        FUZZ_ASSERT(end != NULL);
        const mcpw_str line = {bytes.ptr, (size_t)(end - bytes.ptr)};
        bytes.ptr += line.len + 1;
        bytes.len -= line.len + 1;
        if (line.len == 0) {
            if (is_begun) {
                check_event(slot, &e);
            }
            e = (event){0};
            is_begun = false;
        } else if (line.ptr[0] != ':') {
            is_begun = true;
            read_line(&e, line);
        }
    }
    FUZZ_ASSERT(!is_begun); /* what is given are whole events */
}

/* ---- The end ---- */

/* A request that stands for itself is answered once, and nothing comes after that. */
void stage_check_end(const stage_slot *slot) {
    if (slot->client == NULL && slot->status == 200 && slot->is_request && !slot->of->memory.failed) {
        FUZZ_ASSERT(slot->replies == 1 && slot->replied_last);
    }
    FUZZ_ASSERT(slot->client != NULL || slot->status != 202 || !slot->is_request);
    FUZZ_ASSERT(slot->status != 204 || slot->is_delete);
}
