/* SPDX-License-Identifier: MIT */
/*
 * JSON-RPC messages: decode, validate and the envelope agree, and what was decoded is written as one line
 * that reads back; a message that a caller has put together wrongly is refused. The header's last bytes:
 * which requests responses answer, whether they are known and carried a task, what is spoiled.
 */
#include "fuzz_json.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/envelope.h>

/* The request of a response, by nothing but its id: the method is chosen by the id's bytes. */
static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const fuzz_header *const h = user;
    size_t number = h->extra[0];
    mcpw_answered_request out = {0, (h->extra[1] & 1U) != 0};
    if (id->kind == MCPW_ID_STRING) {
        for (size_t i = 0; i < id->as.string.len; i++) {
            number += (unsigned char)id->as.string.ptr[i];
        }
    } else if (id->kind == MCPW_ID_INTEGER) {
        number += (size_t)id->as.integer;
    }
    out.method = (int)(number % ((unsigned)mcpw_method_count(h->revision) + 1U));
    return out;
}

static void check_envelope(const mcpw_envelope *found, const mcpw_message *message) {
    FUZZ_ASSERT(found->kind == message->kind);
    if (found->kind == MCPW_MESSAGE_BATCH) {
        return;
    }
    FUZZ_ASSERT(found->id.kind == message->id.kind && found->method == message->method);
    FUZZ_ASSERT(mcpw_str_equal(found->method_name, message->method_name));
    if (found->id.kind == MCPW_ID_STRING) {
        FUZZ_ASSERT(mcpw_str_equal(found->id.as.string, message->id.as.string));
    } else if (found->id.kind == MCPW_ID_INTEGER) {
        FUZZ_ASSERT(found->id.as.integer == message->id.as.integer);
    }
}

static void round_trip(fuzz_header *h, const mcpw_message *message) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    mcpw_message again;
    options.flags = h->options.flags;
    options.max_depth = h->options.max_depth;
    FUZZ_SAME(mcpw_message_encode(h->revision, message, &text, &options, &error), MCPW_OK, error.message);
    FUZZ_ASSERT(fuzz_is_one_line(text.data, text.len));
    if ((options.flags & (MCPW_PEER_DEFAULTS | MCPW_NULL_IS_ABSENT)) == 0) {
        const mcpw_json before = mcpw_json_of(h->text, h->len);
        const mcpw_json after = mcpw_json_of(text.data, text.len);
        FUZZ_ASSERT(fuzz_same_json(before, after));
    }
    const size_t len = text.len;
    FUZZ_SAME(mcpw_message_decode(h->revision, text.data, len, &arena, resolve, h, &again, &options, &error),
              MCPW_OK, error.message);
    FUZZ_SAME(mcpw_message_encode(h->revision, &again, &text, &options, NULL), MCPW_OK, "second encode");
    FUZZ_ASSERT(text.len == 2 * len && memcmp(text.data, text.data + len, len) == 0);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

/* One thing about a message that does not fit the rest. text is what the input begins with. */
static void spoil(mcpw_message *m, unsigned how, mcpw_str text) {
    enum { WAYS = 12, KINDS = 7, METHODS = 40 };
    static const mcpw_member members[] = {{MCPW_STR("id"), MCPW_JSON("1")},
                                          {MCPW_STR("x"), MCPW_JSON("1},{")}};
    const unsigned n = how / WAYS;
    const mcpw_json raw = mcpw_json_of(text.ptr, text.len);
    switch (how % WAYS) {
    case 0:
        m->kind = (mcpw_message_kind)(n % KINDS);
        break;
    case 1:
        m->method = (int)(n % METHODS) - 1;
        break;
    case 2:
        m->method_name = text;
        break;
    case 3:
        m->id.kind = (mcpw_id_kind)(n % KINDS);
        m->id.as.string = text;
        break;
    case 4:
        m->type = NULL;
        break;
    case 5:
        m->value = NULL;
        break;
    case 6:
        m->raw = raw;
        m->value = NULL;
        break;
    case 7:
        m->raw = raw;
        break;
    case 8:
        m->extra.items = members + n % 2;
        m->extra.count = 1;
        break;
    case 9:
        m->extra.items = NULL;
        m->extra.count = n;
        break;
    case 10:
        m->error.data = raw;
        m->error.message = text;
        break;
    default:
        m->batch = (n & 1U) != 0 ? NULL : m->batch;
        m->batch_count = (n & 2U) != 0 ? 0 : m->batch_count;
        break;
    }
}

/* If something is written after all, it is a message. */
static void check_spoiled(fuzz_header *h, mcpw_message *message) {
    enum { TEXT = 12 };
    const mcpw_str text = {h->text, h->len < TEXT ? h->len : TEXT};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    options.flags = h->options.flags;
    spoil(message, h->extra[2], text);
    const mcpw_status status = mcpw_message_encode(h->revision, message, &out, &options, &error);
    fuzz_check_error(status, &error);
    FUZZ_ASSERT(status == MCPW_OK || out.len == 0);
    if (status == MCPW_OK) {
        FUZZ_ASSERT(fuzz_is_one_line(out.data, out.len));
        FUZZ_SAME(
            mcpw_message_validate(h->revision, out.data, out.len, &arena, NULL, NULL, NULL, &options, &error),
            MCPW_OK, error.message);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

/* The envelope of a text accepts JSON, and says of a message what decoding says, unless that failed. */
static void check_read(mcpw_json text, const mcpw_message *message) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message_envelope e;
    mcpw_error error = {0};
    mcpw_error why = {0};
    mcpw_str method;
    const mcpw_status status = mcpw_envelope_read(&e, text, MCPW_MAX_DEPTH, &error);
    FUZZ_SAME(status, mcpw_json_check(text, MCPW_MAX_DEPTH, &why), "envelope and check of a text");
    FUZZ_ASSERT(error.offset == why.offset);
    if (message != NULL) {
        const mcpw_id id = mcpw_envelope_id(&e, &arena);
        FUZZ_ASSERT(status == MCPW_OK && e.kind == message->kind);
        if (e.kind == MCPW_MESSAGE_REQUEST || e.kind == MCPW_MESSAGE_NOTIFICATION) {
            FUZZ_ASSERT(mcpw_envelope_string(&e, MCPW_AT_METHOD, &arena, &method) == MCPW_OK);
            FUZZ_ASSERT(mcpw_str_equal(method, message->method_name));
        }
        if (message->id.kind == MCPW_ID_STRING) {
            FUZZ_ASSERT(id.kind == MCPW_ID_STRING && mcpw_str_equal(id.as.string, message->id.as.string));
        } else if (message->id.kind == MCPW_ID_INTEGER) {
            FUZZ_ASSERT(id.kind == MCPW_ID_INTEGER && id.as.integer == message->id.as.integer);
        }
    }
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_header h = fuzz_read_header(data, size);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_error why = {0};
    mcpw_message message;
    mcpw_envelope found;
    const mcpw_resolve known = (h.extra[1] & 2U) != 0 ? NULL : resolve;
    char *const text = fuzz_copy(h.text, h.len);
    const mcpw_status status =
        mcpw_message_decode(h.revision, text, h.len, &arena, known, &h, &message, &h.options, &error);
    const mcpw_status verdict =
        mcpw_message_validate(h.revision, text, h.len, &scratch, known, &h, &found, &h.options, &why);
    check_read(mcpw_json_of(text, h.len), status == MCPW_OK ? &message : NULL);
    free(text);
    FUZZ_SAME(status, verdict, "decode and validate of a message");
    if (status == MCPW_OK) {
        check_envelope(&found, &message);
        if (known != NULL) {
            round_trip(&h, &message);
        }
        check_spoiled(&h, &message);
    } else {
        fuzz_check_error(status, &error);
        fuzz_check_error(verdict, &why);
        FUZZ_ASSERT(error.offset == why.offset && strcmp(error.path, why.path) == 0);
    }
    mcpw_arena_free(&scratch);
    mcpw_arena_free(&arena);
    return 0;
}
