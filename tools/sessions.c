/* SPDX-License-Identifier: MIT */
#include "sessions.h"

#include "overlay.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_NAME = 40 }; /* bytes of a revision's name in a note */

struct session {
    requests open[SIDES];           /* by the sender; all are in the first one if senders are unknown */
    const mcpw_revision *asked;     /* requested by initialize, while it is open */
    const mcpw_revision *agreed;    /* by the result of initialize */
    const mcpw_revision *stateless; /* named by the last request */
    bool guess_said;
    session *newer;
    session *older;
    mcpw_id name; /* its text follows the struct */
};

/* ---- the sessions by name ---- */

static void init_open(sessions *s, session *of) {
    for (unsigned i = 0; i < SIDES; i++) {
        requests_init(&of->open[i], s->share.max_open);
        of->open[i].share = &s->share;
    }
}

static session *new_session(sessions *s, const mcpw_id *name) {
    const bool has_text = name->kind == MCPW_ID_STRING;
    const size_t len = has_text ? name->as.string.len : 0;
    session *const of = calloc(1, sizeof *of + len);
    if (of == NULL) {
        return NULL;
    }
    of->name = *name;
    if (has_text) {
        memcpy(of + 1, name->as.string.ptr, len);
        of->name.as.string.ptr = (const char *)(of + 1);
    }
    init_open(s, of);
    return of;
}

static void drop_session(void *facts) {
    session *const of = facts;
    requests_free(&of->open[CLIENT]);
    requests_free(&of->open[SERVER]);
    free(of);
}

static void unlink_session(sessions *s, session *of) {
    *(of->newer != NULL ? &of->newer->older : &s->newest) = of->older;
    *(of->older != NULL ? &of->older->newer : &s->oldest) = of->newer;
}

static void link_newest(sessions *s, session *of) {
    of->newer = NULL;
    of->older = s->newest;
    *(s->newest != NULL ? &s->newest->newer : &s->oldest) = of;
    s->newest = of;
}

static void forget_oldest(sessions *s) {
    session *const of = s->oldest;
    unlink_session(s, of);
    requests_remove(&s->by_name, &of->name); /* this frees the session */
}

static session *add_named(sessions *s, const mcpw_id *name) {
    static const mcpw_answered_request none = {0, false};
    session *const of = new_session(s, name);
    if (of == NULL) {
        return NULL;
    }
    while (!requests_add(&s->by_name, name, none)) {
        if (s->oldest == NULL) {
            drop_session(of);
            return NULL;
        }
        forget_oldest(s);
    }
    requests_find(&s->by_name, name)->facts = of;
    return of;
}

bool sessions_enter(sessions *s, const mcpw_id *name) {
    s->at = s->unnamed;
    if (name->kind == MCPW_ID_ABSENT) {
        return true;
    }
    const open_request *const known = requests_find(&s->by_name, name);
    session *of = NULL;
    if (known != NULL) {
        of = known->facts;
        unlink_session(s, of);
    } else {
        of = add_named(s, name);
    }
    if (of == NULL) {
        return false;
    }
    link_newest(s, of);
    s->at = of;
    return true;
}

bool sessions_init(sessions *s, const mcpw_revision *forced, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open) {
    const mcpw_arena own = MCPW_ARENA_INIT;
    mcpw_id nobody;
    memset(s, 0, sizeof *s);
    memset(&nobody, 0, sizeof nobody);
    s->forced = forced;
    s->share.max_open = max_open;
    s->initialize = forced != NULL ? mcpw_method_number(forced, "initialize", strlen("initialize")) : 0;
    s->arena = own;
    s->arena.limit = arena->limit;
    exchange_init(&s->exchange, forced, options, arena, 0);
    requests_init(&s->by_name, SESSIONS_NAMED_AT_ONCE);
    s->by_name.drop = drop_session;
    s->unnamed = new_session(s, &nobody);
    s->at = s->unnamed;
    return s->unnamed != NULL;
}

void sessions_use_schema(sessions *s, const exchange_schema *schema) {
    static const mcpw_str initialize = {"initialize", sizeof "initialize" - 1};
    s->exchange.schema = schema;
    s->initialize = schema->method_number(schema->user, initialize);
}

void sessions_free(sessions *s) {
    requests_free(&s->by_name);
    if (s->unnamed != NULL) {
        drop_session(s->unnamed);
    }
    s->unnamed = NULL;
    exchange_free(&s->exchange);
    mcpw_arena_free(&s->arena);
}

static void forget_requests(sessions *s) {
    requests_free(&s->at->open[CLIENT]);
    requests_free(&s->at->open[SERVER]);
    init_open(s, s->at);
}

void sessions_restart(sessions *s) {
    session *const of = s->at;
    forget_requests(s);
    of->asked = NULL;
    of->agreed = NULL;
    of->stateless = NULL;
    of->guess_said = false;
}

/* ---- the revision of a message ---- */

static bool has_handshake(const mcpw_revision *revision) {
    return mcpw_method_number(revision, "initialize", strlen("initialize")) != 0;
}

/* The revisions by the likelihood of a message that does not name its revision: those with a handshake first,
 * then the newest first. NULL: there are no more. */
static const mcpw_revision *by_likelihood(size_t place) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = count; i > 0; i--) {
            if (has_handshake(all[i - 1]) == (pass == 0) && place-- == 0) {
                return all[i - 1];
            }
        }
    }
    return NULL;
}

/* The newest revision without a handshake; if there is none, the most likely one. */
static const mcpw_revision *newest_stateless(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = count; i > 0; i--) {
        if (!has_handshake(all[i - 1])) {
            return all[i - 1];
        }
    }
    return by_likelihood(0);
}

/* The revision that initialize or its result names; other if that has no handshake. */
static const mcpw_revision *named_by(sessions *s, mcpw_json version, const mcpw_revision *other) {
    const mcpw_revision *const named = glance_revision(glance_text(version, &s->arena));
    return named != NULL && has_handshake(named) ? named : other;
}

static bool is_initialize(const glance *g) {
    return g->kind == MCPW_MESSAGE_REQUEST && mcpw_str_is(g->method, "initialize");
}

/* The revision in a result of initialize. */
static mcpw_json agreed_version(const glance *g) {
    return glance_member(g->at[MCPW_AT_RESULT], "protocolVersion");
}

/* True if a result looks like one of initialize, whose request is not in the file. */
static bool looks_like_initialized(const glance *g) {
    return g->kind == MCPW_MESSAGE_RESULT && agreed_version(g).ptr != NULL &&
           glance_member(g->at[MCPW_AT_RESULT], "serverInfo").ptr != NULL;
}

static const mcpw_revision *of_session(const session *of) {
    return of->agreed != NULL ? of->agreed : of->asked != NULL ? of->asked : of->stateless;
}

/* The revision of a response's request; NULL: unknown or guessed. */
static const mcpw_revision *of_answered(sessions *s) {
    const open_request *const entry = requests_find(s->exchange.answered, &s->glance.id);
    if (entry == NULL) {
        s->initialized = looks_like_initialized(&s->glance);
        return s->initialized ? named_by(s, agreed_version(&s->glance), by_likelihood(0)) : NULL;
    }
    const mcpw_revision *const revision = entry->facts;
    if (revision != NULL) {
        const mcpw_str method = exchange_method_name(&s->exchange, revision, entry->answers[0].method);
        s->initialized = mcpw_str_is(method, "initialize");
    }
    return of_session(s->at) == NULL && revision != NULL && has_handshake(revision) ? NULL : revision;
}

/* The revision of a message; NULL: unknown. */
static const mcpw_revision *revision_of(sessions *s) {
    const glance *const g = &s->glance;
    const mcpw_revision *told = NULL;
    s->initialized = false;
    if (is_initialize(g)) {
        return named_by(s, g->at[MCPW_AT_PROTOCOL_VERSION], by_likelihood(0));
    }
    if (g->named.ptr != NULL) {
        told = glance_revision(g->named);
        return told != NULL ? told : newest_stateless();
    }
    if (g->kind == MCPW_MESSAGE_RESULT || g->kind == MCPW_MESSAGE_ERROR) {
        told = of_answered(s);
    }
    return told != NULL ? told : of_session(s->at);
}

/* ---- checks ---- */

/* The name of a message's method; absent: unknown. */
static mcpw_str method_of(const sessions *s) {
    const open_request *const entry = requests_find(s->exchange.answered, &s->glance.id);
    const mcpw_str none = {NULL, 0};
    if (s->glance.method.ptr != NULL) {
        return s->glance.method;
    }
    return entry != NULL && entry->facts != NULL
               ? exchange_method_name(&s->exchange, entry->facts, entry->answers[0].method)
               : none;
}

static bool may_be_in(const sessions *s, const mcpw_revision *revision, mcpw_str method) {
    if (s->glance.kind == MCPW_MESSAGE_BATCH) {
        return mcpw_revision_has_batches(revision);
    }
    return method.ptr != NULL && (mcpw_method_number(revision, method.ptr, method.len) != 0 ||
                                  overlays_find(s->exchange.overlays, revision, method) != NULL);
}

/* True if the text is invalid in every revision. */
static bool is_final(mcpw_status status) {
    return status == MCPW_OK || status == MCPW_E_SYNTAX || status == MCPW_E_UTF8 || status == MCPW_E_DEPTH ||
           status == MCPW_E_SIZE || status == MCPW_E_ELEMENTS || status == MCPW_E_MEMORY ||
           status == MCPW_E_ARENA;
}

static mcpw_status check_in(sessions *s, const mcpw_revision *revision, mcpw_json text, mcpw_error *error) {
    s->exchange.revision = revision;
    return exchange_check(&s->exchange, text.ptr, text.len, error);
}

/* Checks a message of unknown revision: it is valid if any revision that knows such a message accepts it. */
static mcpw_status check_in_any(sessions *s, mcpw_json text, mcpw_error *error) {
    const mcpw_str method = method_of(s);
    const mcpw_revision *first = NULL;
    const mcpw_revision *revision = NULL;
    mcpw_error other;
    for (size_t i = 0; (revision = by_likelihood(i)) != NULL; i++) {
        if (!may_be_in(s, revision, method)) {
            continue;
        }
        const mcpw_status status = check_in(s, revision, text, first == NULL ? error : &other);
        if (is_final(status)) {
            return status;
        }
        first = first == NULL ? revision : first;
    }
    /* Repeat the first check for its error; if no revision knows the message, use the most likely one. */
    return first != NULL ? check_in(s, first, text, &other) : check_in(s, by_likelihood(0), text, error);
}

mcpw_status sessions_check(sessions *s, const side *from, mcpw_json text, mcpw_error *error) {
    s->exchange.asked = &s->at->open[from != NULL ? *from : CLIENT];
    s->exchange.answered = &s->at->open[from != NULL && *from == CLIENT ? SERVER : CLIENT];
    if (s->forced != NULL) {
        return check_in(s, s->forced, text, error);
    }
    mcpw_arena_reset(&s->arena);
    glance_read(&s->glance, text, &s->arena);
    const mcpw_revision *const revision = revision_of(s);
    const open_request *const asked = requests_find(s->exchange.answered, &s->glance.id);
    s->exchange.asked_in = asked != NULL ? asked->facts : NULL;
    s->guessed = revision == NULL;
    return s->guessed ? check_in_any(s, text, error) : check_in(s, revision, text, error);
}

void sessions_errors(sessions *s, mcpw_json text, mcpw_error_callback on_error, void *user) {
    exchange_errors(&s->exchange, text.ptr, text.len, on_error, user);
}

/* ---- changes of the state ---- */

static void add_diagnostic(sessions *s, const char *pointer, const char *message) {
    exchange_diagnostic diagnostic;
    (void)snprintf(diagnostic.pointer, sizeof diagnostic.pointer, "%s", pointer);
    (void)snprintf(diagnostic.message, sizeof diagnostic.message, "%s", message);
    if (s->exchange.on_diagnostic != NULL) {
        s->exchange.on_diagnostic(s->exchange.user, &diagnostic);
    }
}

static void say_guess(sessions *s) {
    const mcpw_status status = s->exchange.status;
    const bool readable = s->glance.kind != MCPW_MESSAGE_NONE && (status == MCPW_OK || !is_final(status));
    if (s->guessed && readable && !s->at->guess_said) {
        s->at->guess_said = true;
        add_diagnostic(
            s, "",
            "no message before this names the revision: until one does, a message that any revision accepts "
            "is valid");
    }
}

/* Reports an agreed revision that this build does not have. */
static void diagnose_unknown(sessions *s, mcpw_str name) {
    char message[EXCHANGE_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message,
                   "there is no revision \"%.*s\" with initialize: the session is checked by %s",
                   name.len < SHOWN_NAME ? (int)name.len : SHOWN_NAME, name.ptr,
                   mcpw_revision_name(s->at->agreed));
    add_diagnostic(s, "/result/protocolVersion", message);
}

static void follow_request(sessions *s) {
    session *const of = s->at;
    const mcpw_revision *const revision = s->exchange.revision;
    const bool stateless = s->glance.named.ptr != NULL && !has_handshake(revision);
    if (is_initialize(&s->glance)) {
        if (of->agreed != NULL) {
            forget_requests(s);
        }
        s->begun++;
        of->asked = revision;
        of->agreed = NULL;
        of->stateless = NULL;
    } else if (stateless) {
        if (of->agreed != NULL) {
            forget_requests(s);
        }
        s->begun += of->stateless == NULL ? 1U : 0U;
        of->asked = NULL;
        of->agreed = NULL;
        of->stateless = revision;
    }
}

static void follow_initialized(sessions *s) {
    session *const of = s->at;
    const mcpw_revision *const before = of->asked != NULL ? of->asked : s->exchange.revision;
    s->begun += of->asked == NULL ? 1U : 0U;
    of->asked = NULL;
    if (s->glance.kind == MCPW_MESSAGE_RESULT) {
        const mcpw_json version = agreed_version(&s->glance);
        const mcpw_str name = glance_text(version, &s->arena);
        of->agreed = named_by(s, version, before);
        if (name.ptr != NULL && !mcpw_str_is(name, mcpw_revision_name(of->agreed))) {
            diagnose_unknown(s, name);
        }
    }
}

/* Marks the open request of an id with its revision. */
static void mark(sessions *s, const mcpw_id *id) {
    open_request *const entry = requests_find(s->exchange.asked, id);
    if (entry != NULL) {
        entry->facts = (void *)(uintptr_t)s->exchange.revision;
    }
}

static void mark_all(sessions *s, mcpw_json batch) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    if (mcpw_json_iterate(batch, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        glance g;
        glance_read(&g, item, &s->arena);
        if (g.kind == MCPW_MESSAGE_REQUEST) {
            mark(s, &g.id);
        }
    }
}

/* True if the current message begins a session of the forced revision. A valid message needs no second look.
 */
static bool begins(sessions *s, mcpw_json text) {
    const mcpw_envelope *const e = &s->exchange.envelope;
    if (s->exchange.status == MCPW_OK) {
        return e->kind == MCPW_MESSAGE_REQUEST && e->method == s->initialize;
    }
    mcpw_arena_reset(&s->arena);
    glance_read(&s->glance, text, &s->arena);
    return is_initialize(&s->glance);
}

/* True if the message is a result that began a session. */
static bool has_begun(const sessions *s) {
    const exchange *const x = &s->exchange;
    const open_request *const entry = x->status == MCPW_OK && x->envelope.kind == MCPW_MESSAGE_RESULT
                                          ? requests_find(x->answered, &x->envelope.id)
                                          : NULL;
    return entry != NULL && entry->answers[x->which < entry->count ? x->which : 0].method == s->initialize;
}

/* Counts openings of a forced revision, like those of a session with its own revision. */
static void follow_forced(sessions *s, mcpw_json text) {
    session *const of = s->at;
    if (s->initialize != 0 && begins(s, text)) {
        if (of->agreed != NULL) {
            forget_requests(s);
        }
        of->agreed = NULL;
    } else if (s->initialize != 0 && of->agreed == NULL && has_begun(s)) {
        of->agreed = s->forced;
    }
    exchange_follow(&s->exchange, text.ptr, text.len);
}

void sessions_follow(sessions *s, mcpw_json text) {
    const glance *const g = &s->glance;
    if (s->forced != NULL) {
        follow_forced(s, text);
        return;
    }
    say_guess(s);
    if (g->kind == MCPW_MESSAGE_REQUEST) {
        follow_request(s);
    } else if (s->initialized) {
        follow_initialized(s);
    }
    exchange_follow(&s->exchange, text.ptr, text.len);
    if (g->kind == MCPW_MESSAGE_REQUEST) {
        mark(s, &g->id);
    } else if (g->kind == MCPW_MESSAGE_BATCH) {
        mark_all(s, text);
    }
}
