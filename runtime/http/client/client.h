/* SPDX-License-Identifier: MIT */
/* The client and its calls, as shared by the files of the client. */
#ifndef MCPW_HTTP_CLIENT_PARTS_H
#define MCPW_HTTP_CLIENT_PARTS_H

#include <mcpw/envelope.h>
#include <mcpw/http_client.h>
#include <mcpw/json.h>

#include <mcpw/detail/event_reader.h>

/* The purpose of a call. */
typedef enum mcpw_purpose {
    MCPW_CALL_MESSAGE, /* sends a message of the session */
    MCPW_CALL_LISTEN,  /* reads the server's own stream */
    MCPW_CALL_LIST,    /* lists tools again for a call whose headers did not match */
    MCPW_CALL_REOPEN,  /* opens a session in place of a lost one */
    MCPW_CALL_READY,   /* sends notifications/initialized for the new session */
    MCPW_CALL_GOODBYE  /* ends the session */
} mcpw_purpose;

/* The kind of a response body. */
typedef enum mcpw_reply_kind {
    MCPW_REPLY_OTHER, /* no content of use, or text for people */
    MCPW_REPLY_JSON,
    MCPW_REPLY_EVENTS
} mcpw_reply_kind;

/* A list of calls, in the order in which they were added. */
typedef struct mcpw_call_list {
    mcpw_http_call *first;
    mcpw_http_call *last;
    size_t count;
} mcpw_call_list;

struct mcpw_http_call {
    mcpw_http_client *client;
    mcpw_call_list *list; /* the list that contains the call; NULL: none */
    mcpw_http_call *next;
    mcpw_http_call *previous;
    mcpw_purpose purpose;
    void *user;

    mcpw_buffer body; /* the message; the texts below point into it or into facts */
    mcpw_arena facts; /* lives as long as the call */
    int64_t request;  /* the request's number in the session; 0: it is none, or one of the client's own */
    mcpw_json id;     /* absent: no response is wanted */
    mcpw_json known;  /* the id in the session, if the request was repeated under another one */
    mcpw_str method;  /* absent: a response to the server */
    mcpw_json params; /* absent: none */
    mcpw_json meta;   /* _meta of the params */
    mcpw_str version; /* of a stateless message; absent: it belongs to a session */

    mcpw_arena head; /* the head of the request; lives until it is written again */
    mcpw_http_field *fields;
    size_t field_count;
    uint64_t session; /* the number of the session that the call was made in; 0: none */
    uint64_t due;     /* the time to repeat the call, or to give it up */
    unsigned tries;   /* since the last message or event with a new id */
    unsigned idle;    /* tries since the last message */

    int status; /* of the response; 0: it has not begun */
    mcpw_reply_kind kind;
    mcpw_buffer reply; /* the body, unless it is a stream of events */
    mcpw_event_reader events;
    mcpw_buffer challenge; /* WWW-Authenticate */
    mcpw_buffer location;  /* of a redirect */
    mcpw_buffer last_id;   /* the last event before this try */
    mcpw_buffer token;     /* the token that the program gave for the challenge */
    bool is_answered;      /* the response to the message has arrived */
    bool is_too_long;      /* the response exceeds the limit */
    bool is_queued;        /* it counts towards max_queued */
    bool has_token;        /* the request carries credentials */
    bool resumes;          /* it resumes a stream */
    bool was_challenged;   /* the program was asked for a new token */
    bool was_listed;       /* tools were listed again for it */
    bool was_reopened;     /* a session was opened again for it */
    mcpw_http_call *waits; /* LIST: the call that needs the list; NULL: that call has ended */
};

/* A tool with arguments that headers repeat: client_tools.c. */
typedef struct mcpw_header_tool mcpw_header_tool;
enum { MCPW_TOOL_BUCKETS = 256 };

struct mcpw_http_client {
    mcpw_http_client_config config; /* its texts are copies */
    mcpw_arena memory;
    mcpw_arena scratch; /* for one public call */
    mcpw_call_list ready;
    mcpw_call_list waiting;
    mcpw_call_list running;
    mcpw_call_list dropped;
    mcpw_http_call *given_up; /* given up, and reported to the program; freed at the next call */
    mcpw_http_call *barrier;  /* the messages of the session wait for this call; NULL: they do not wait */
    mcpw_buffer session_id;   /* empty: the server has sent none */
    uint64_t session;         /* number of sessions so far */
    bool is_reopening;
    mcpw_buffer initialize; /* the message that opened the session */
    mcpw_buffer initialized;
    mcpw_buffer written;                        /* a message that the client writes */
    mcpw_buffer filtered;                       /* a list of tools without the refused ones */
    mcpw_header_tool *tools[MCPW_TOOL_BUCKETS]; /* by name */
    size_t tool_bytes;
    size_t queued; /* messages that want no response */
    size_t queued_bytes;
    mcpw_buffer cursor; /* the next page of tools that are listed again */
    uint64_t retry;
    uint64_t now;
    uint64_t made;  /* ids that the client made so far */
    mcpw_error why; /* MCPW_OK: nothing has failed */
    bool is_ended;
};

/* ---- client_calls.c: calls and their lists ---- */

/* Creates a call with a copy of a message, in no list; NULL: no memory. */
mcpw_http_call *mcpw_http_calls_call(mcpw_http_client *client, mcpw_purpose purpose, mcpw_str text);

/* Reads the call's own message, and finds its id, params and _meta. */
mcpw_message_envelope mcpw_http_calls_envelope(mcpw_http_call *call);
/* Moves a call to the end of a list. */
void mcpw_http_calls_put(mcpw_http_call *call, mcpw_call_list *list);
void mcpw_client_take_off(mcpw_http_call *call);
/* Schedules a retry after the server's retry time, and later with each idle try. */
void mcpw_http_calls_put_off(mcpw_http_call *call);
/* Stops a call and frees it. */
void mcpw_http_calls_drop(mcpw_http_call *call);
void mcpw_http_calls_free_call(mcpw_http_call *call);
void mcpw_client_free_list(mcpw_call_list *list);
/* Fails the client: a message was lost for lack of memory, or the server cannot be reached. */
void mcpw_http_calls_fail(mcpw_http_client *client, mcpw_status status, const char *why);
/* Reports a warning to the program. */
void mcpw_http_calls_warn(const mcpw_http_client *client, const char *words, mcpw_str more);
/* Writes a text, followed by the beginning of the server's text in printable form. */
enum { MCPW_CLIENT_WORDS = 160 /* bytes that suffice */ };
void mcpw_client_put_words(char *out, size_t size, const char *words, mcpw_str more);
/* Replaces a text by a copy of another. */
MCPW_NODISCARD mcpw_status mcpw_client_keep(mcpw_buffer *buffer, mcpw_str text);

/* ---- client_take.c: messages of the session ---- */

/* Makes a call for each message that the session sends, while there is room. */
void mcpw_http_calls_take(mcpw_http_client *client);
/* True if the queue is full: the client must read nothing that could ask for more. */
bool mcpw_client_is_full(const mcpw_http_client *client);
/* True if the session's revision has no handshake. */
bool mcpw_http_calls_is_modern(const mcpw_http_client *client);

/* ---- client_head.c ---- */

/* Writes the head of a request. */
MCPW_NODISCARD mcpw_status mcpw_http_calls_write_head(mcpw_http_call *call);
/* The HTTP method of a call, such as "POST". */
const char *mcpw_http_calls_method(const mcpw_http_call *call);

/* ---- client_receive.c ---- */

/* Handles a message from the server. */
void mcpw_http_calls_receive(mcpw_http_call *call, mcpw_str text);
/* Gives the session an error of the server as the response to a call. */
void mcpw_http_calls_answer(mcpw_http_call *call, mcpw_json error);

/* ---- client_refused.c: error responses ---- */

/* The JSON-RPC error in a response; absent: none. */
mcpw_json mcpw_http_calls_error_in(const mcpw_http_call *call);
/* Fails a request in the session, and frees its call. */
void mcpw_http_calls_fail_call(mcpw_http_call *call, const mcpw_error *why);
/* Fails a request with an explanation from the server. */
void mcpw_http_calls_refuse(mcpw_http_call *call, mcpw_status status, const char *words, mcpw_str more);
/* True if a response asks for credentials. */
bool mcpw_http_calls_is_unauthorized(const mcpw_http_call *call);
/* Fails a request according to the status of its response. */
void mcpw_http_calls_refuse_status(mcpw_http_call *call);

/* ---- client_again.c: retries ---- */

/* Handles a request's stream that has ended without a response: resumes it, repeats the request or fails it.
 */
void mcpw_http_calls_broken(mcpw_http_call *call, const mcpw_error *error);
/* Handles a lost session: opens another one, and repeats the call in it. */
void mcpw_http_calls_reopen(mcpw_http_call *call);
/* Sends notifications/initialized for a reopened session. */
void mcpw_http_calls_say_ready(mcpw_http_client *client);
/* Ends the reopening of a session, with or without success. */
void mcpw_http_calls_reopened(mcpw_http_client *client, bool is_open);
/* Lists tools for a call whose headers did not match, or the next page of them. */
void mcpw_http_calls_list(mcpw_http_call *call);
/* Reads the server's own stream. */
void mcpw_http_calls_listen(mcpw_http_client *client);

/* ---- client_tools.c ---- */

/* Reads from a result of tools/list, which stands in *text, which arguments headers repeat. Tools with
 * invalid declarations are removed: *text then receives a shorter text, which lives until the next list. */
MCPW_NODISCARD mcpw_status mcpw_http_calls_learn_tools(mcpw_http_client *client, mcpw_json result,
                                                       mcpw_str *text);
/* The maximum number of fields for the arguments of a call. */
size_t mcpw_http_calls_tool_fields(const mcpw_http_call *call);
MCPW_NODISCARD mcpw_status mcpw_http_calls_add_tool_fields(mcpw_http_call *call);
void mcpw_http_calls_forget_tools(mcpw_http_client *client);

#endif
