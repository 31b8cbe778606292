/* SPDX-License-Identifier: MIT */
/* The parts of a record, by name:
 *
 *     session      {"version":1,"principal":"YWxpY2U=","protocolVersion":"2025-11-25",
 *                   "clientInfo":{...},"capabilities":{...}}
 *     initialized  true
 *     level        warning
 *     watch URI    true
 *
 * Each part is written separately, so two processes can write at the same time without losing each other's
 * data. This version ignores unknown names. A newer version that adds a part which older ones must not ignore
 * has a higher version number. */
#include "record.h"

#include "cluster.h"

#include <mcpw/detail/protocol.h>
#include <mcpw/server.h>

enum { VERSION = 1 };

static const mcpw_str none = {NULL, 0};
static const mcpw_str session_name = MCPW_STR("session");
static const mcpw_str initialized_name = MCPW_STR("initialized");
static const mcpw_str level_name = MCPW_STR("level");
static const mcpw_str watch_name = MCPW_STR("watch ");
static const mcpw_str yes = MCPW_STR("true");

/* ---- Writing ---- */

static mcpw_status keep(const mcpw_http_session *http_session, mcpw_str name, mcpw_str text) {
    const mcpw_http_server *const server = http_session->server;
    return server->cluster->functions.keep(server->cluster->functions.self,
                                           mcpw_http_session_id(http_session),
                                           server->config.session_timeout_ms, name, text);
}

/* The principal may contain any bytes, so the record stores it as base64. */
static mcpw_status write_session(const mcpw_http_session *http_session, mcpw_arena *memory,
                                 mcpw_buffer *out) {
    const mcpw_str principal = mcpw_base64_encode(memory, http_session + 1, http_session->principal_len);
    const char *const revision = mcpw_revision_wire(mcpw_session_revision(http_session->session));
    mcpw_json_writer w;
    mcpw_json text;
    if (principal.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_json_write_into(&w, out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "version");
    mcpw_json_write_int(&w, VERSION);
    mcpw_json_write_key(&w, "principal");
    mcpw_json_write_string(&w, principal.ptr, principal.len);
    mcpw_json_write_key(&w, "protocolVersion");
    mcpw_json_write_string(&w, revision, strlen(revision));
    mcpw_json_write_key(&w, "clientInfo");
    mcpw_json_write_raw(&w, mcpw_session_peer_info(http_session->session));
    mcpw_json_write_key(&w, "capabilities");
    mcpw_json_write_raw(&w, mcpw_session_peer_capabilities(http_session->session));
    mcpw_json_write_close(&w);
    return mcpw_json_write_end(&w, &text);
}

mcpw_status mcpw_record_open(mcpw_http_session *http_session) {
    const mcpw_http_config *const config = &http_session->server->config;
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    memory.allocator = text.allocator = config->allocator;
    mcpw_status status = write_session(http_session, &memory, &text);
    if (status == MCPW_OK && text.len > config->max_record_bytes) {
        status = MCPW_E_SIZE;
    }
    if (status == MCPW_OK) {
        http_session->record_bytes = text.len;
        status = keep(http_session, session_name, (mcpw_str){text.data, text.len});
    }
    mcpw_buffer_free(&text);
    mcpw_arena_free(&memory);
    return status;
}

mcpw_status mcpw_record_initialized(const mcpw_http_session *http_session) {
    return keep(http_session, initialized_name, yes);
}

mcpw_status mcpw_record_level(const mcpw_http_session *http_session) {
    return keep(http_session, level_name, mcpw_session_level(http_session->session));
}

mcpw_status mcpw_record_subscription(const mcpw_http_session *http_session, mcpw_str uri) {
    const mcpw_http_config *const config = &http_session->server->config;
    const bool is_subscribed = mcpw_session_is_subscribed(http_session->session, uri);
    mcpw_buffer name = MCPW_BUFFER_INIT;
    const size_t used = http_session->record_bytes + mcpw_session_subscribed_bytes(http_session->session);
    if (is_subscribed && used > config->max_record_bytes) {
        return MCPW_E_SIZE;
    }
    name.allocator = config->allocator;
    mcpw_status status = mcpw_buffer_append(&name, watch_name.ptr, watch_name.len);
    if (status == MCPW_OK && uri.len != 0) {
        status = mcpw_buffer_append(&name, uri.ptr, uri.len);
    }
    if (status == MCPW_OK) {
        status = keep(http_session, (mcpw_str){name.data, name.len}, is_subscribed ? yes : none);
    }
    mcpw_buffer_free(&name);
    return status;
}

/* ---- Reading ---- */

typedef struct part {
    struct part *next;
    mcpw_str name;
    mcpw_str text;
} part;

typedef struct record {
    mcpw_arena memory;
    part *first;
    size_t room; /* bytes that may still follow */
} record;

static mcpw_status take(void *user, mcpw_str name, mcpw_str text) {
    record *const r = user;
    if (name.len > r->room || text.len > r->room - name.len) {
        return MCPW_E_SIZE;
    }
    r->room -= name.len + text.len;
    part *const taken = mcpw_arena_alloc(&r->memory, sizeof *taken);
    if (taken == NULL) {
        return MCPW_E_MEMORY;
    }
    *taken = (part){r->first, mcpw_arena_str(&r->memory, name.ptr, name.len),
                    mcpw_arena_str(&r->memory, text.ptr, text.len)};
    r->first = taken;
    return taken->name.ptr != NULL && taken->text.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static const part *part_of(const record *r, mcpw_str name) {
    const part *p = r->first;
    while (p != NULL && !mcpw_str_equal(p->name, name)) {
        p = p->next;
    }
    return p;
}

static bool is_memory(mcpw_status status) { return status == MCPW_E_MEMORY || status == MCPW_E_ARENA; }

/* Maps every wrong value to MCPW_E_FORMAT, the code of a damaged record. Memory errors stay as they are. */
static mcpw_status damage(mcpw_status status) {
    return status == MCPW_OK || is_memory(status) ? status : MCPW_E_FORMAT;
}

static mcpw_status check_version(mcpw_json text) {
    int64_t version = 0;
    const mcpw_status status = mcpw_json_get_int(text, "version", &version);
    if (status != MCPW_OK || version < 1) {
        return MCPW_E_FORMAT;
    }
    return version > VERSION ? MCPW_E_VERSION : MCPW_OK;
}

/* Checks that this principal has opened the session of the record. */
static mcpw_status check_principal(record *r, mcpw_json text, mcpw_str principal) {
    mcpw_str encoded;
    mcpw_str owner;
    mcpw_status status = mcpw_json_get_string(text, "principal", &r->memory, &encoded);
    status = status == MCPW_OK ? mcpw_base64_decode(&r->memory, encoded, &owner) : status;
    if (status != MCPW_OK) {
        return damage(status);
    }
    return owner.len == principal.len && (owner.len == 0 || mcpw_str_equal(owner, principal))
               ? MCPW_OK
               : MCPW_E_NOT_FOUND;
}

/* Restores the result of initialize. */
static mcpw_status restore_session(const mcpw_http_session *http_session, record *r, mcpw_json text) {
    mcpw_str revision;
    mcpw_status status = damage(mcpw_json_get_string(text, "protocolVersion", &r->memory, &revision));
    if (status == MCPW_OK) { /* its other members are no params, and are ignored like unknown ones */
        status = mcpw_session_restore(http_session->session, revision, text);
    }
    /* Another program with other revisions may have opened it. */
    return status == MCPW_E_VERSION || status == MCPW_E_STATE ? MCPW_E_NOT_FOUND : damage(status);
}

/* Restores a level or a subscription. A part that this program does not support is ignored. */
static mcpw_status restore_part(const mcpw_http_session *http_session, const part *p) {
    mcpw_status status = MCPW_OK;
    if (mcpw_str_equal(p->name, initialized_name)) {
        mcpw_session_initialized(http_session->session);
    } else if (mcpw_str_equal(p->name, level_name)) {
        status = mcpw_session_choose_level(http_session->session, p->text);
    } else if (p->name.len > watch_name.len && memcmp(p->name.ptr, watch_name.ptr, watch_name.len) == 0) {
        const mcpw_str uri = {p->name.ptr + watch_name.len, p->name.len - watch_name.len};
        status = mcpw_session_subscribe(http_session->session, uri, true);
    }
    return is_memory(status) ? status : MCPW_OK;
}

static mcpw_status restore(mcpw_http_session *http_session, record *r, mcpw_json text) {
    mcpw_status status = restore_session(http_session, r, text);
    http_session->record_bytes = text.len;
    for (const part *p = r->first; p != NULL && status == MCPW_OK; p = p->next) {
        status = restore_part(http_session, p);
    }
    return status == MCPW_OK && mcpw_session_is_closed(http_session->session) ? MCPW_E_NOT_FOUND : status;
}

static mcpw_status make_copy(mcpw_http_server *server, mcpw_str id, mcpw_str principal, record *r,
                             mcpw_http_session **http_session) {
    const part *const opening = part_of(r, session_name);
    mcpw_http_session *made = NULL;
    if (opening == NULL) {
        return MCPW_E_NOT_FOUND; /* it has ended while another process wrote to it */
    }
    const mcpw_json text = {opening->text.ptr, opening->text.len, 0};
    mcpw_status status = damage(mcpw_json_check(text, 0, NULL));
    status = status == MCPW_OK ? check_version(text) : status;
    status = status == MCPW_OK ? check_principal(r, text, principal) : status;
    status = status == MCPW_OK ? mcpw_sessions_open(server, id, principal, &r->memory, &made) : status;
    if (status != MCPW_OK) {
        return status;
    }
    status = restore(made, r, text);
    if (status != MCPW_OK) {
        mcpw_sessions_leave_to_others(made);
        return status;
    }
    *http_session = made;
    return MCPW_OK;
}

mcpw_status mcpw_record_restore(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                                mcpw_http_session **http_session) {
    /* Two processes that write at the same time may both use the last room of a record. */
    record r = {MCPW_ARENA_INIT, NULL, 2 * server->config.max_record_bytes};
    r.memory.allocator = server->config.allocator;
    mcpw_status status = server->cluster->functions.find(server->cluster->functions.self, id,
                                                         server->config.session_timeout_ms, take, &r);
    if (status == MCPW_OK) {
        status = make_copy(server, id, principal, &r, http_session);
    }
    mcpw_arena_free(&r.memory);
    return status;
}
