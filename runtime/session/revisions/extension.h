/* SPDX-License-Identifier: MIT */
/* The extensions and the middleware that an end has: <mcpw/extension.h>. */
#ifndef MCPW_SESSION_EXTENSION_H
#define MCPW_SESSION_EXTENSION_H

#include "extended.h"

#include <mcpw/detail/protocol_table.h>
#include <mcpw/extension.h>

/* An extension as it was added. */
typedef struct mcpw_registered {
    mcpw_extension given;   /* texts and JSON are the set's own */
    const char *capability; /* "extensions.<id>" */
    size_t methods;         /* how many methods and the like there were before it */
    size_t middleware;
    size_t results;
    size_t topics;
    unsigned passes;    /* MCPW_PASS_... before it */
    bool takes_results; /* before it */
    mcpw_mark mark;     /* of the set's memory before it */
    bool changes_types; /* its revision has to be spoken, because it changes types of the protocol */
} mcpw_registered;

/* A method that an extension adds. */
struct mcpw_custom {
    const mcpw_registered *extension;
    mcpw_str name;
    mcpw_method_scope scope;
    bool on_session_thread;
    unsigned flags;     /* MCPW_METHOD_... */
    int number;         /* in the extension's revision; 0: it was declared by hand */
    const char *scopes; /* NULL: none but those of the extension */
    const mcpw_type *params;
    const mcpw_type *result;
    struct mcpw_schema *params_schema;
    struct mcpw_schema *result_schema;
    mcpw_status (*request)(mcpw_request *request, const mcpw_extension_call *call, void *user);
    void (*notification)(mcpw_session *session, const mcpw_extension_call *call, void *user);
};

/* A result that an extension adds to a method of the protocol, without a type. */
typedef struct mcpw_added_result {
    const mcpw_registered *extension;
    mcpw_str method;
    mcpw_str value;              /* of resultType */
    mcpw_extension_result given; /* its callbacks, and its type_name, which is the set's own */
} mcpw_added_result;

/* A filter that an extension adds to subscriptions. */
typedef struct mcpw_added_topic {
    const mcpw_registered *extension;
    mcpw_topic topic;
    mcpw_extension_topic given; /* without its filter, which is the topic's */
} mcpw_added_topic;

struct mcpw_extensions {
    const mcpw_extended *extended;
    mcpw_allocator allocator;
    mcpw_arena memory;
    const mcpw_pattern_engine *patterns;
    mcpw_registered items[MCPW_MAX_EXTENSIONS];
    size_t count;
    mcpw_custom methods[MCPW_MAX_EXTENSION_METHODS];
    size_t method_count;
    mcpw_middleware middleware[MCPW_MAX_MIDDLEWARE];
    size_t middleware_count;
    unsigned passes; /* MCPW_PASS_... of all middleware */
    mcpw_added_result results[MCPW_MAX_EXTENSION_RESULTS];
    size_t result_count;
    mcpw_added_topic topics[MCPW_MAX_EXTENSION_RESULTS];
    size_t topic_count;
    bool takes_results; /* an extension takes results of requests of this end */
};

/* An empty set; NULL when memory runs out. */
mcpw_extensions *mcpw_extensions_new(const mcpw_extended *extended, const mcpw_allocator *allocator,
                                     const mcpw_pattern_engine *patterns);
/* Adds an extension, with its methods and middleware, or nothing. */
MCPW_NODISCARD mcpw_status mcpw_extensions_add(mcpw_extensions *set, const mcpw_extension *given,
                                               mcpw_error *error);
/* Takes back the extension that was added last. */
void mcpw_extensions_remove_last(mcpw_extensions *set);
MCPW_NODISCARD mcpw_status mcpw_extensions_add_middleware(mcpw_extensions *set, const mcpw_middleware *given,
                                                          mcpw_error *error);

/* Whether a revision has extensions among its capabilities. */
bool mcpw_extensions_are_in(const mcpw_revision *revision);
/* Whether methods of extensions are served in a revision: as such, or because its core has them. */
bool mcpw_extensions_take(const mcpw_extensions *set, const mcpw_profile *profile);
/* Whether an extension brings this revision because it changes types of the protocol. */
bool mcpw_extensions_bring(const mcpw_extensions *set, const mcpw_revision *revision);
/* The type that params of a method are read by; NULL: they are text that has no _meta of its own. */
const mcpw_type *mcpw_custom_params(const mcpw_custom *custom, const mcpw_revision *revision);
/* The extension of an id; NULL: there is none, or set is NULL. */
const mcpw_registered *mcpw_extensions_by_id(const mcpw_extensions *set, const char *id);
/* The method of an extension by its name; NULL: there is none, or set is NULL. */
const mcpw_custom *mcpw_extensions_find(const mcpw_extensions *set, mcpw_str method);
/* The id of the extension that adds a result with such a resultType to a method of the protocol; NULL: none
 * does, or set is NULL. */
const char *mcpw_extensions_answer(const mcpw_extensions *set, mcpw_str method, mcpw_json result);
/* The result that an extension takes of a method of the protocol; NULL: none does, or set is NULL. */
const mcpw_added_result *mcpw_extensions_taker(const mcpw_extensions *set, mcpw_str method);
/* The filter of subscriptions that an extension adds; NULL: there is none, or set is NULL. */
const mcpw_added_topic *mcpw_extensions_topic(const mcpw_extensions *set, const char *filter);
#endif
