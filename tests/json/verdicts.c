/* SPDX-License-Identifier: MIT */
/*
 * Reads texts, a line of hexadecimal digits each, and says for each what mcpwire makes of it and, after a
 * tab, what json-c does: `-` for a refusal, else the value in the form that differential.py compares: n t f,
 * s and the bytes of a string in hexadecimal, i and an integer, d and the bits of a double, o for a number
 * beyond both, [..] and {name:value..}
 */
#include <mcpw/codec.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/json.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(HAVE_JSON_C)
#include <json-c/json.h>
#endif

enum { TEXT = 1 << 21, LEVELS = 400 };

static void put_hex(const char *text, size_t len) {
    (void)putchar('s');
    for (size_t i = 0; i < len; i++) {
        printf("%02x", (unsigned)(unsigned char)text[i]);
    }
}

static void put_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf("d%016" PRIx64, bits);
}

/* ---- mcpwire ---- */

static void put_string(mcpw_json value, mcpw_arena *arena) {
    mcpw_str text;
    if (mcpw_json_string(value, arena, &text) == MCPW_OK) {
        put_hex(text.ptr, text.len);
    } else {
        (void)putchar('!');
    }
}

static void put_number(mcpw_json value) {
    int64_t integer = 0;
    double number = 0;
    const bool plain = memchr(value.ptr, '.', value.len) == NULL &&
                       memchr(value.ptr, 'e', value.len) == NULL && memchr(value.ptr, 'E', value.len) == NULL;
    if (plain && mcpw_json_int(value, &integer) == MCPW_OK) {
        printf("i%" PRId64, integer);
    } else if (mcpw_json_double(value, &number) == MCPW_OK) {
        put_double(number);
    } else {
        (void)putchar('o');
    }
}

static void put_ours(mcpw_json value, mcpw_arena *arena) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json item;
    bool truth = false;
    const mcpw_json_kind kind = mcpw_json_kind_of(value);
    switch (kind) {
    case MCPW_JSON_NULL:
        (void)putchar('n');
        return;
    case MCPW_JSON_BOOLEAN:
        (void)putchar(mcpw_json_bool(value, &truth) == MCPW_OK && truth ? 't' : 'f');
        return;
    case MCPW_JSON_STRING:
        put_string(value, arena);
        return;
    case MCPW_JSON_NUMBER:
        put_number(value);
        return;
    default:
        break;
    }
    (void)putchar(kind == MCPW_JSON_OBJECT ? '{' : '[');
    if (mcpw_json_iterate(value, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, &key, &item)) {
            if (kind == MCPW_JSON_OBJECT) {
                put_string(key, arena);
                (void)putchar(':');
            }
            put_ours(item, arena);
            (void)putchar(',');
        }
    }
    (void)putchar(kind == MCPW_JSON_OBJECT ? '}' : ']');
}

static void say_ours(const char *text, size_t len) {
    static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_type_room room;
    mcpw_json value;
    size_t count = 0;
    const mcpw_type *const whole = mcpw_type_make(&room, mcpw_revisions(&count)[0], any, "any");
    options.max_depth = LEVELS;
    if (mcpw_decode(whole, text, len, &arena, &value, &options, NULL) == MCPW_OK) {
        put_ours(value, &arena);
    } else {
        (void)putchar('-');
    }
    mcpw_arena_free(&arena);
}

/* ---- json-c ---- */

#if defined(HAVE_JSON_C)
static void put_theirs(struct json_object *object) {
    switch (json_object_get_type(object)) {
    case json_type_null:
        (void)putchar('n');
        break;
    case json_type_boolean:
        (void)putchar(json_object_get_boolean(object) ? 't' : 'f');
        break;
    case json_type_int:
        if (json_object_get_uint64(object) > INT64_MAX && json_object_get_int64(object) == INT64_MAX) {
            printf("i%" PRIu64, json_object_get_uint64(object));
        } else {
            printf("i%" PRId64, json_object_get_int64(object));
        }
        break;
    case json_type_double:
        put_double(json_object_get_double(object));
        break;
    case json_type_string:
        put_hex(json_object_get_string(object), (size_t)json_object_get_string_len(object));
        break;
    case json_type_array:
        (void)putchar('[');
        for (size_t i = 0; i < json_object_array_length(object); i++) {
            put_theirs(json_object_array_get_idx(object, i));
            (void)putchar(',');
        }
        (void)putchar(']');
        break;
    case json_type_object:
        (void)putchar('{');
        json_object_object_foreach(object, key, member) {
            put_hex(key, strlen(key));
            (void)putchar(':');
            put_theirs(member);
            (void)putchar(',');
        }
        (void)putchar('}');
        break;
    }
}

static void say_theirs(const char *text, size_t len) {
    struct json_tokener *const tokener = json_tokener_new_ex(LEVELS + 2);
    if (tokener == NULL) {
        abort();
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *object = json_tokener_parse_ex(tokener, text, (int)len);
    if (json_tokener_get_error(tokener) == json_tokener_continue) { /* a number ends with what follows it */
        object = json_tokener_parse_ex(tokener, "", 1);
    }
    if (json_tokener_get_error(tokener) == json_tokener_success) {
        put_theirs(object);
    } else {
        (void)putchar('-');
    }
    json_object_put(object);
    json_tokener_free(tokener);
}
#endif

static int digit(int c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

int main(void) {
    char *const text = malloc(TEXT);
    size_t len = 0;
    int high = 0;
    if (text == NULL) {
        return 1;
    }
    while ((high = getchar()) != EOF) {
        if (high != '\n') {
            const int low = getchar();
            text[len++] = (char)(digit(high) << 4 | digit(low));
            if (len == TEXT) {
                return 1;
            }
            continue;
        }
        say_ours(text, len);
#if defined(HAVE_JSON_C)
        (void)putchar('\t');
        say_theirs(text, len);
#endif
        (void)putchar('\n');
        len = 0;
    }
    free(text);
    return 0;
}
