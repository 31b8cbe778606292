/* SPDX-License-Identifier: MIT */
/*
 * The interface of transports to a session: all that they may know beyond <mcpw/session.h>. A transport of
 * whole messages needs nothing of this. One of threads gives the session an executor, one of bytes is a
 * stream.
 */
#ifndef MCPW_ATTACH_H
#define MCPW_ATTACH_H

#include <mcpw/envelope.h>
#include <mcpw/extension_kit.h>
#include <mcpw/session.h>

/* ---- Threads ----
 *
 * What a session asks of the threads around it, of which it knows nothing itself. Everything in a session is
 * touched by one thread alone. A call about a detached request that comes from another thread is posted to
 * the session's thread, and the caller waits for it: so nothing is copied and nothing is locked.
 * runtime/transport/queue.c does that with POSIX threads, workers.c runs handlers on other threads. */

typedef struct mcpw_executor {
    /* Whether the caller is on another thread than the session's. Unless `surely` is set, any thread counts
     * as the session's while nothing is under way on that one, because it may take its place. */
    bool (*is_away)(void *self, bool surely);
    /* Runs a function on the session's thread; returns when it has returned. */
    void (*call)(void *self, void (*run)(void *argument), void *argument);
    /* On the session's thread: waits for calls of other threads, and runs them. */
    void (*wait)(void *self);
    /* Makes the session's loop take a step. */
    void (*wake)(void *self);
    /* The caller's thread is the session's from now on. */
    void (*take)(void *self);
    /* The session has ended. NULL: it need not be called. */
    void (*release)(void *self);
    /* Whether the caller is inside of a step of the session's loop. */
    bool (*is_within)(void *self);
    /* From any thread: has the session's thread run a job as soon as it can. Until it runs, it is not handed
     * over again. */
    void (*hand_over)(void *self, mcpw_job *job);
    /* Takes back a job that has not run. */
    void (*withdraw)(void *self, mcpw_job *job);
} mcpw_executor;

/* Hands a job to another thread. */
typedef void (*mcpw_submit)(void *self, mcpw_job *job);

/* From now on calls come to this session by an executor, which outlives it. MCPW_E_STATE when it has one,
 * MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_session_set_executor(mcpw_session *session, const mcpw_executor *executor,
                                                     void *self);
/* From now on handlers run where submit posts them. */
void mcpw_session_set_submit(mcpw_session *session, mcpw_submit submit, void *self);
/* Whether the caller is certainly on another thread than the session's. */
bool mcpw_session_is_away(const mcpw_session *session);
/* Notes that a function was called on a wrong thread: MCPW_E_THREAD. From any thread. */
mcpw_status mcpw_session_misused(mcpw_session *session, const char *function, mcpw_error *error);

/* An executor runs sessions of a server from now on, those to come among them: changes that other threads
 * report are sent on its thread. Each session joins by itself, too. MCPW_E_MEMORY. Whoever has joined leaves
 * as often, before the executor ends. */
MCPW_NODISCARD mcpw_status mcpw_server_join(mcpw_server *server, const mcpw_executor *executor, void *self);
void mcpw_server_leave(mcpw_server *server, const void *self);

/* ---- Whole messages ---- */

/* mcpw_session_receive of a text whose envelope the transport has read already: it is that of the text, and
 * stays the caller's. */
MCPW_NODISCARD mcpw_status mcpw_session_receive_read(mcpw_session *session, const void *text, size_t len,
                                                     const mcpw_message_envelope *envelope, void *context);

/* mcpw_session_receive of a text that came on the response stream of a request of ours. */
MCPW_NODISCARD mcpw_status mcpw_session_receive_for(mcpw_session *session, const void *text, size_t len,
                                                    int64_t number);

/* The ms that the peer has for a request of ours by the config; UINT64_MAX: without an end, as while
 * mcpw_session_hold has stopped the time limits. */
uint64_t mcpw_session_patience(const mcpw_session *session);

/* ---- One stream of bytes ----
 *
 * A layer above a session that reads and writes it as bytes, and cuts them into messages: sessions know whole
 * messages alone. runtime/transport/lines.c is one. */

typedef struct mcpw_stream mcpw_stream;

/* The calls of a session to its layer. */
typedef struct mcpw_stream_callbacks {
    void (*go_on)(mcpw_session *session);      /* there is room in the output again */
    mcpw_status (*end)(mcpw_session *session); /* the input has ended; MCPW_PENDING: after what is held */
    void (*trim)(mcpw_session *session);       /* gives back what it keeps for later */
    void (*free)(mcpw_session *session);
} mcpw_stream_callbacks;

/* The first members of every such layer. */
struct mcpw_stream {
    const mcpw_stream_callbacks *callbacks;
    bool waits; /* input is held that came while the output was full */
    bool ends;  /* and the input ends after it */
};

/* Puts a layer on a session, with the byte that stands after each message of the output. */
void mcpw_stream_join(mcpw_session *session, mcpw_stream *stream, char terminator);
/* The layer; NULL: messages are given and taken one by one. */
mcpw_stream *mcpw_stream_of(const mcpw_session *session);
/* The session's settings: limits, memory. */
const mcpw_session_config *mcpw_stream_config(const mcpw_session *session);

/* Begins what one call of the program's takes in; `function` names that call. MCPW_E_THREAD on a wrong
 * thread, MCPW_E_CLOSED in a closed session. MCPW_E_STATE from a callback, because the text that it is called
 * for is still in use. */
MCPW_NODISCARD mcpw_status mcpw_stream_enter(mcpw_session *session, const char *function);
void mcpw_stream_leave(mcpw_session *session);
/* Whether a message may be taken: the session is not closed, nor, where that counts, is its output full. */
bool mcpw_stream_takes(const mcpw_session *session, bool unless_full);
/* Takes a message. MCPW_E_MEMORY: it was lost. */
MCPW_NODISCARD mcpw_status mcpw_stream_take(mcpw_session *session, mcpw_str message);
/* Refuses a message that was longer than it may be, and so was not kept. */
MCPW_NODISCARD mcpw_status mcpw_stream_take_long(mcpw_session *session);
/* Tells on_diagnostic that input was lost. */
void mcpw_stream_lost(mcpw_session *session, mcpw_status status);
/* The peer will send nothing more: subscriptions end, requests of ours fail, answers have end_grace_ms ms. */
void mcpw_session_input_ended(mcpw_session *session);
/* Whether input has ended, and no part of the session can give the responses that are still due. */
bool mcpw_session_is_stalled(const mcpw_session *session);

/* The bytes that wait to be sent, and how many. */
size_t mcpw_stream_bytes(const mcpw_session *session, const char **bytes);
/* The first len of them were sent. Actions that waited for room go on. */
void mcpw_stream_sent(mcpw_session *session, size_t len);

/* ---- A client that waits for its answers ---- */

/* The client of a session, which keeps it; NULL: none. */
void mcpw_session_set_client(mcpw_session *session, void *client);
void *mcpw_session_client(const mcpw_session *session);

/* Whether the answer to a request with such params can be of the type that its caller wants; NULL: any. */
MCPW_NODISCARD mcpw_status mcpw_session_wants(const mcpw_session *session, const mcpw_revision *revision,
                                              int method, const void *params, const mcpw_type *wanted,
                                              mcpw_error *error);

/* A request that only some revisions have. If none is needed, revision is NULL. */
typedef struct mcpw_control {
    const mcpw_revision *revision;
    int method;
    const void *params;
} mcpw_control;

/* Sets the level of log messages that a client wants, and makes the request that says so. */
MCPW_NODISCARD mcpw_status mcpw_control_level(mcpw_session *session, mcpw_log_level level, mcpw_arena *arena,
                                              mcpw_control *out, mcpw_error *error);

/* ---- Scopes ---- */

/* The first checks a list of scopes, separated by spaces; the second takes the next scope off a list. */
bool mcpw_scopes_are_valid(mcpw_str scopes);
bool mcpw_scopes_next(mcpw_str *scopes, mcpw_str *scope);

/* Called for each list of scopes that a request needs. Any status but MCPW_OK ends the calls. */
typedef mcpw_status mcpw_need_scopes(void *user, mcpw_str scopes);

/* Calls `need` for the scopes of the tool, prompt or resource that a message names. It returns the status of
 * `need`, MCPW_E_MEMORY or MCPW_E_ARENA. A message that names nothing known needs nothing. */
MCPW_NODISCARD mcpw_status mcpw_server_needs(const mcpw_server *server, mcpw_str method,
                                             const mcpw_message_envelope *envelope, mcpw_arena *arena,
                                             mcpw_need_scopes *need, void *user);

/* The same for the scopes of a message of an extension, or of a subscription with a filter of one. */
MCPW_NODISCARD mcpw_status mcpw_endpoint_needs(const mcpw_endpoint *endpoint, mcpw_str method,
                                               const mcpw_message_envelope *envelope, mcpw_need_scopes *need,
                                               void *user);

/* ---- Changes, and clients that other processes serve as well ---- */

/* Bytes of output that may wait for a client: max_output of the config. */
size_t mcpw_endpoint_max_output(const mcpw_endpoint *endpoint);

/* The kinds of changes of a server's offers. */
typedef enum mcpw_change {
    MCPW_CHANGE_TOOLS,
    MCPW_CHANGE_PROMPTS,
    MCPW_CHANGE_RESOURCES,
    MCPW_CHANGE_RESOURCE /* the content of one; uri says which */
} mcpw_change;

/* Sends the notification of a change to a client that has subscribed to it. An empty URI stands for every
 * resource that the client watches. */
void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri);

/* A listener to the changes of a server, called after its sessions. */
typedef struct mcpw_change_listener {
    struct mcpw_change_listener *next;
    void (*changed)(void *self, mcpw_change change, mcpw_str uri);
    void *self;
} mcpw_change_listener;

/* Begins and ends that, for the server of an endpoint; one without a server has no changes. */
void mcpw_endpoint_add_change_listener(const mcpw_endpoint *endpoint, mcpw_change_listener *watch);
void mcpw_endpoint_remove_change_listener(const mcpw_endpoint *endpoint, const mcpw_change_listener *watch);

/* A session of a revision with a handshake can go on in another process. That process makes a session of its
 * own and restores what the first one has agreed on with the client: revision and params of initialize, then
 * each of the functions below. Nothing is sent. on_open and on_watch are called as they were in the first
 * process; slots are not.
 *
 * params has protocolVersion, clientInfo and capabilities.
 *   MCPW_E_STATE    the session is a client's, has a revision already or is closed
 *   MCPW_E_VERSION  this end does not speak the revision
 *   MCPW_E_SIZE     clientInfo or capabilities are too long
 *   MCPW_E_MEMORY; any other status: the params do not fit the revision's schema */
MCPW_NODISCARD mcpw_status mcpw_session_restore(mcpw_session *session, mcpw_str revision, mcpw_json params);
/* notifications/initialized has come. */
void mcpw_session_initialized(mcpw_session *session);
/* The level that logging/setLevel has chosen, absent before that; chooses one. MCPW_E_VALUE: it is none. */
mcpw_str mcpw_session_level(const mcpw_session *session);
MCPW_NODISCARD mcpw_status mcpw_session_choose_level(mcpw_session *session, mcpw_str level);
/* Whether the client has subscribed to a resource by resources/subscribe; subscribes to it or unsubscribes.
 * MCPW_E_FULL: there are as many subscriptions as there may be. */
bool mcpw_session_is_subscribed(const mcpw_session *session, mcpw_str uri);
MCPW_NODISCARD mcpw_status mcpw_session_subscribe(mcpw_session *session, mcpw_str uri, bool watch);
/* The memory of these subscriptions, in bytes. */
size_t mcpw_session_subscribed_bytes(const mcpw_session *session);

/* Whether clients of a revision, over HTTP, take an event without data and come back where the server ends a
 * stream early. */
bool mcpw_revision_polls_streams(const mcpw_revision *revision);

/* The id of the next request of this end. Ends that share a client begin far from each other. */
void mcpw_session_set_next_id(mcpw_session *session, int64_t id);

#endif
