/* SPDX-License-Identifier: MIT */
/* Heads and memory of requests and responses of libcurl. */
#include "os_net.h"

#include "../base/wipe.h"
#include "http_curl.h"

#include <mcpw/error.h>

#include <stdlib.h>

enum { FIELDS_AT_ONCE = 16 /* a list of fields grows by so many */ };

/* ---- Memory ---------------------------------------------------------------------------------------------
 */

static void *resize_wiping(void *user, void *ptr, size_t old_size, size_t new_size) {
    void *const grown = new_size != 0 ? malloc(new_size) : NULL;
    (void)user;
    if (ptr != NULL && (grown != NULL || new_size == 0)) {
        if (grown != NULL) {
            memcpy(grown, ptr, old_size < new_size ? old_size : new_size);
        }
        mcpw_wipe(ptr, old_size);
        free(ptr);
    }
    return grown;
}

mcpw_allocator mcpw_curl_wiping(void) { return (mcpw_allocator){.resize = resize_wiping}; }

/* ---- Responses ----------------------------------------------------------------------------------------- */

static bool add_field(mcpw_curl_head *head, mcpw_str line) {
    const char *const colon = memchr(line.ptr, ':', line.len);
    if (colon == NULL) {
        return true;
    }
    if (head->field_count % FIELDS_AT_ONCE == 0) {
        mcpw_http_field *const more =
            realloc(head->fields, (head->field_count + FIELDS_AT_ONCE) * sizeof *more);
        if (more == NULL) {
            return false;
        }
        head->fields = more;
    }
    const size_t len = (size_t)(colon - line.ptr);
    head->fields[head->field_count++] = (mcpw_http_field){{line.ptr, len}, {colon + 1, line.len - len - 1}};
    return true;
}

bool mcpw_curl_head_cut(mcpw_curl_head *head) {
    const char *at = head->lines.data;
    const char *const end = at + head->lines.len;
    head->field_count = 0;
    while (at < end) {
        const char *const line_end = memchr(at, '\n', (size_t)(end - at));
        size_t len = line_end != NULL ? (size_t)(line_end - at) : (size_t)(end - at);
        const char *const next = at + len + 1;
        len -= len != 0 && at[len - 1] == '\r' ? 1 : 0;
        if (!add_field(head, (mcpw_str){at, len})) {
            return false;
        }
        at = next;
    }
    return true;
}

mcpw_str mcpw_curl_head_next(const mcpw_curl_head *head, const char *name, size_t *at) {
    const size_t len = strlen(name);
    while (*at < head->field_count) {
        const mcpw_http_field *const field = &head->fields[(*at)++];
        mcpw_str value = field->value;
        if (field->name.len != len || curl_strnequal(field->name.ptr, name, len) == 0) {
            continue;
        }
        while (value.len != 0 && (value.ptr[0] == ' ' || value.ptr[0] == '\t')) {
            value = (mcpw_str){value.ptr + 1, value.len - 1};
        }
        return value;
    }
    return (mcpw_str){NULL, 0};
}

void mcpw_curl_head_free(mcpw_curl_head *head) {
    mcpw_buffer_free(&head->lines);
    free(head->fields);
    head->fields = NULL;
    head->field_count = 0;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static mcpw_status add_line(struct curl_slist **list, mcpw_buffer *line, const mcpw_http_field *field) {
    /* libcurl expects "Name;" for a field without a value */
    static const char colon[] = ": ";
    line->len = 0;
    mcpw_status status = mcpw_buffer_append(line, field->name.ptr, field->name.len);
    if (status == MCPW_OK && field->value.len != 0) {
        status = mcpw_buffer_append(line, colon, sizeof colon - 1);
        status = status == MCPW_OK ? mcpw_buffer_append(line, field->value.ptr, field->value.len) : status;
    } else if (status == MCPW_OK) {
        status = mcpw_buffer_append(line, ";", 1);
    }
    status = status == MCPW_OK ? mcpw_buffer_append(line, "", 1) : status;
    struct curl_slist *const more = status == MCPW_OK ? curl_slist_append(*list, line->data) : NULL;
    if (more == NULL) {
        return MCPW_E_MEMORY;
    }
    *list = more;
    return MCPW_OK;
}

mcpw_status mcpw_curl_add_fields(struct curl_slist **list, const mcpw_http_field *fields, size_t count) {
    mcpw_buffer line = MCPW_BUFFER_INIT;
    line.allocator = mcpw_curl_wiping();
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < count; i++) {
        status = add_line(list, &line, fields + i);
    }
    mcpw_buffer_free(&line);
    return status;
}

void mcpw_curl_free_fields(struct curl_slist *list) {
    for (const struct curl_slist *at = list; at != NULL; at = at->next) {
        mcpw_wipe(at->data, strlen(at->data));
    }
    curl_slist_free_all(list);
}

curl_socket_t mcpw_curl_open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)user, (void)purpose;
    return mcpw_net_open(address->family, address->socktype, address->protocol, true);
}

const char *mcpw_curl_proxy(const char *option) {
    static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    if (option != NULL) {
        return option[0] != '\0' ? option : NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return NULL;
}

void mcpw_curl_explain(mcpw_error *error, const char *words, CURLcode code) {
    char shown[MCPW_ERROR_MESSAGE_SIZE];
    const char *const from = words[0] != '\0' ? words : curl_easy_strerror(code);
    (void)mcpw_put_printable(shown, sizeof shown, from, strlen(from));
    (void)mcpw_error_set(error, MCPW_E_CONNECTION, 0, "%s", shown);
}
