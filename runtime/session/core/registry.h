/* SPDX-License-Identifier: MIT */
/* Functions of a session that a server's registries call. */
#ifndef MCPW_REGISTRY_H
#define MCPW_REGISTRY_H

#include "../attach.h"
#include "../support/text.h"
#include "provider.h"

/* Whether the caller is on another thread than the request's session. Then mcpw_post_call posts the call
 * there. */
bool mcpw_request_is_cross_thread(const mcpw_request *request);

/* The registries of the request's session; NULL: it has none. From any thread that has the request. */
mcpw_server *mcpw_request_server(const mcpw_request *request);

/* Reports to on_diagnostic that a function was called on a wrong thread. */
void mcpw_session_diagnose_misuse_of(mcpw_session *session, const char *function);

/* The arguments of a function that another thread calls. Each function has some of them. */
typedef struct mcpw_post_args {
    const mcpw_type *type;
    const mcpw_revision *revision;
    const void *value;
    const char *text;
    mcpw_str str;
    mcpw_json json;
    double real;
    double total;
    int64_t number;
    size_t count;
    void (*on_cancel)(void *user, mcpw_request *request);
    void *out;         /* the result's destination, or a callback's argument */
    mcpw_error *error; /* NULL: the function has none */
} mcpw_post_args;

/* Runs a function on the session's thread with these arguments, waits for it, and returns its status. `name`
 * is that of the public function. A request that is not detached must not be read: the call returns
 * MCPW_E_THREAD, and on_diagnostic gets its name. */
mcpw_status mcpw_post_call(mcpw_request *request, const char *name,
                           mcpw_status (*run)(mcpw_request *request, const mcpw_post_args *args),
                           const mcpw_post_args *args);

/* Defines a function for mcpw_post_call. It makes this call, in which its arguments are a->... */
#define MCPW_POSTED(name, call)                                                                              \
    static mcpw_status name(mcpw_request *request, const mcpw_post_args *a) {                                \
        (void)a;                                                                                             \
        return call;                                                                                         \
    }

/* Whether its client subscribes to a resource. */
bool mcpw_session_watches(mcpw_session *session, mcpw_str uri);

/* The registry's entry that serves a request until its response. It has the type of structured content and
 * the registered MIME type. mcpw_server_handle sets it. */
void mcpw_request_set_entry(mcpw_request *request, const void *entry);
const void *mcpw_request_entry(const mcpw_request *request);
/* Whether a request whose handler runs has been answered, or has ended in another way. */
bool mcpw_request_is_answered(const mcpw_request *request);
/* The provider is notified when the request ends. */
void mcpw_request_tell_entry(mcpw_request *request);

/* A result while its members are written. */
typedef struct mcpw_written {
    mcpw_request *request;
    mcpw_buffer *out; /* its destination; NULL: the result could not be begun */
    size_t begin;     /* its length before */
    mcpw_text text;   /* the same buffer, lent until mcpw_written_end: members are written to it */
    bool passing;     /* the middleware gets the result: out is NULL */
    mcpw_error error; /* the failure, if its code is the text's status */
} mcpw_written;

/* Begins a response of about size bytes. Its result has the type of this name in any revision, and is not
 * checked again. Write at least one member of the result. Members that mcpw_respond_json adds do not count.
 * Do not use the session otherwise until mcpw_written_end. The text's status is MCPW_E_ARGUMENT if the
 * method's result has another type. */
void mcpw_written_begin(mcpw_written *written, mcpw_request *request, const char *type, size_t size);
/* Sends the response, or drops it if something failed. */
mcpw_status mcpw_written_end(mcpw_written *written);

/* Runs a handler after the session's thread is done with the request: here, or on a worker if there are any.
 * `what` lies in the request's memory. */
mcpw_status mcpw_request_serve(mcpw_request *request,
                               mcpw_status (*run)(mcpw_request *request, const void *what), const void *what);

#endif
