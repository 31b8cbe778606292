/* SPDX-License-Identifier: MIT */
/* A client and its calls, as the parts of it know them. */
#ifndef MCPW_HTTP_CLIENT_PARTS_H
#define MCPW_HTTP_CLIENT_PARTS_H

#include <mcpw/http_client.h>
#include <mcpw/json.h>

#include <mcpw/detail/event_reader.h>

/* What a call is for. */
typedef enum mcpw_purpose {
    MCPW_CALL_MESSAGE, /* carries a message of the session's */
    MCPW_CALL_LISTEN,  /* reads the server's own stream */
    MCPW_CALL_LIST,    /* lists tools again, for a call whose headers did not fit */
    MCPW_CALL_REOPEN,  /* opens a session in the place of one that is gone */
    MCPW_CALL_READY,   /* and says that it is open */
    MCPW_CALL_GOODBYE  /* ends the session */
} mcpw_purpose;

/* What stands in a response. */
typedef enum mcpw_reply_kind {
    MCPW_REPLY_OTHER, /* nothing that is wanted, or words for people */
    MCPW_REPLY_JSON,
    MCPW_REPLY_EVENTS
} mcpw_reply_kind;

/* Calls in the order in which they came there. */
typedef struct mcpw_call_list {
    mcpw_http_call *first;
    mcpw_http_call *last;
    size_t count;
} mcpw_call_list;

struct mcpw_http_call {
    mcpw_http_client *client;
    mcpw_call_list *list; /* where it stands; NULL: nowhere */
    mcpw_http_call *next;
    mcpw_http_call *previous;
    mcpw_purpose purpose;
    void *user;

    mcpw_buffer body; /* the message; what follows lies in it, or in facts */
    mcpw_arena facts; /* lives as long as the call */
    int64_t request;  /* of the session's; 0: it is none, or an own one */
    mcpw_json id;     /* absent: no answer is wanted */
    mcpw_json known;  /* the id by which the session knows it, where it was asked again under another */
    mcpw_str method;  /* absent: an answer to the server */
    mcpw_json params; /* absent: none */
    mcpw_json meta;   /* _meta of the params */
    mcpw_str version; /* of a message that stands for itself; absent: it belongs to a session */

    mcpw_arena head; /* of the request as it is made; lives until it is made again */
    mcpw_http_field *fields;
    size_t field_count;
    uint64_t session; /* the number of the session that it was made in; 0: none */
    uint64_t due;     /* when it is made again, or an answered one is given up */
    unsigned tries;   /* since the last message, or event with a new id */
    unsigned idle;    /* tries since the last message */

    int status; /* of the response; 0: it has not begun */
    mcpw_reply_kind kind;
    mcpw_buffer reply; /* of its body, unless these are events */
    mcpw_event_reader events;
    mcpw_buffer challenge; /* WWW-Authenticate */
    mcpw_buffer location;  /* of a redirect */
    mcpw_buffer last_id;   /* of the last event before this try */
    mcpw_buffer token;     /* that was asked for because of it */
    bool is_answered;      /* the message has its answer */
    bool is_too_long;      /* the response is longer than it may be */
    bool is_queued;        /* it counts for max_queued */
    bool has_token;        /* the request says who makes it */
    bool resumes;          /* it goes on where a stream has ended */
    bool was_challenged;   /* the token was asked for again */
    bool was_listed;       /* tools were listed again for it */
    bool was_reopened;     /* a session was opened again for it */
    mcpw_http_call *waits; /* LIST: the call that it is for; NULL: that is gone */
};

/* A tool with arguments that stand in headers: client_tools.c. */
typedef struct mcpw_header_tool mcpw_header_tool;
enum { MCPW_TOOL_BUCKETS = 256 };

struct mcpw_http_client {
    mcpw_http_client_config config; /* its texts are the client's own */
    mcpw_arena memory;
    mcpw_arena scratch; /* of one call of the program's */
    mcpw_call_list ready;
    mcpw_call_list waiting;
    mcpw_call_list running;
    mcpw_call_list dropped;
    mcpw_http_call *given_up; /* the program was told; it goes with the next call */
    mcpw_http_call *barrier;  /* what belongs to the session waits for it; NULL: nothing */
    mcpw_buffer session_id;   /* empty: the server has named none */
    uint64_t session;         /* how many there were */
    bool is_reopening;
    mcpw_buffer initialize; /* the messages that have opened the session */
    mcpw_buffer initialized;
    mcpw_buffer written;                        /* a message that is made here */
    mcpw_buffer filtered;                       /* a list of tools without those that are left out */
    mcpw_header_tool *tools[MCPW_TOOL_BUCKETS]; /* by name */
    size_t tool_bytes;
    size_t queued; /* messages that want no answer */
    size_t queued_bytes;
    mcpw_buffer cursor; /* of the next page of tools, where they are listed again */
    uint64_t retry;
    uint64_t now;
    uint64_t made;  /* ids that were made here */
    mcpw_error why; /* MCPW_OK: nothing has failed */
    bool is_ended;
};

/* ---- client_calls.c: calls and their lists ---- */

/* A call with a copy of a message, which stands nowhere yet; NULL without memory. */
mcpw_http_call *mcpw_http_calls_call(mcpw_http_client *client, mcpw_purpose purpose, mcpw_str text);
/* Puts a call at the end of a list, off the one where it stood; takes it off that. */
void mcpw_http_calls_put(mcpw_http_call *call, mcpw_call_list *list);
void mcpw_client_take_off(mcpw_http_call *call);
/* Has it made once more when some time has passed: what the server says, and longer with each idle try. */
void mcpw_http_calls_put_off(mcpw_http_call *call);
/* Nobody wants it any more. */
void mcpw_http_calls_drop(mcpw_http_call *call);
void mcpw_http_calls_free_call(mcpw_http_call *call);
void mcpw_client_free_list(mcpw_call_list *list);
/* A message was lost for want of memory, or nobody can be reached. */
void mcpw_http_calls_fail(mcpw_http_client *client, mcpw_status status, const char *why);
/* Tells the program what was not right. */
void mcpw_http_calls_warn(const mcpw_http_client *client, const char *words, mcpw_str more);
/* Writes such words, with the beginning of the server's behind them in a form to print. */
enum { MCPW_CLIENT_WORDS = 160 /* bytes that suffice */ };
void mcpw_client_put_words(char *out, size_t size, const char *words, mcpw_str more);
/* Keeps a copy of a text in the place of another. */
MCPW_NODISCARD mcpw_status mcpw_client_keep(mcpw_buffer *buffer, mcpw_str text);

/* ---- client_take.c: messages of the session's ---- */

/* Makes a call of each message that the session has to say, as long as there is room for them. */
void mcpw_http_calls_take(mcpw_http_client *client);
/* Whether so many messages wait that nothing may be read that could ask for more. */
bool mcpw_client_is_full(const mcpw_http_client *client);
/* Whether the session speaks a revision without a handshake. */
bool mcpw_http_calls_is_modern(const mcpw_http_client *client);

/* ---- client_head.c ---- */

/* Writes the head of a request. */
MCPW_NODISCARD mcpw_status mcpw_http_calls_write_head(mcpw_http_call *call);
/* How it is made: "POST". */
const char *mcpw_http_calls_method(const mcpw_http_call *call);

/* ---- client_receive.c ---- */

/* A message of the server's has come by a call. */
void mcpw_http_calls_receive(mcpw_http_call *call, mcpw_str text);
/* Gives the session an error of the server's as the answer to a call. */
void mcpw_http_calls_answer(mcpw_http_call *call, mcpw_json error);

/* ---- client_refused.c: responses that say no ---- */

/* The error of JSON-RPC that a response holds; absent: none. */
mcpw_json mcpw_http_calls_error_in(const mcpw_http_call *call);
/* Tells the session that a request has failed, and frees its call. */
void mcpw_http_calls_fail_call(mcpw_http_call *call, const mcpw_error *why);
/* The same, with words of the server's. */
void mcpw_http_calls_refuse(mcpw_http_call *call, mcpw_status status, const char *words, mcpw_str more);
/* Whether a response asks for credentials. */
bool mcpw_http_calls_is_unauthorized(const mcpw_http_call *call);
/* Fails a request by the status of its response. */
void mcpw_http_calls_refuse_status(mcpw_http_call *call);

/* ---- client_again.c: what is done once more ---- */

/* The stream of a request has ended without an answer: resumes it, asks again, or refuses it. */
void mcpw_http_calls_broken(mcpw_http_call *call, const mcpw_error *error);
/* The server has lost the session of a call: opens another, and makes the call in that. */
void mcpw_http_calls_reopen(mcpw_http_call *call);
/* The server has opened it: says that this end is ready. */
void mcpw_http_calls_say_ready(mcpw_http_client *client);
/* The session is open, or could not be opened. */
void mcpw_http_calls_reopened(mcpw_http_client *client, bool is_open);
/* Lists tools for a call whose headers did not fit; the next page of them. */
void mcpw_http_calls_list(mcpw_http_call *call);
/* Reads the server's own stream. */
void mcpw_http_calls_listen(mcpw_http_client *client);

/* ---- client_tools.c ---- */

/* Learns from a result of tools/list which arguments stand in headers. Tools that say so in a wrong way are
 * left out: *text is another text then, which lives until the next list. */
MCPW_NODISCARD mcpw_status mcpw_http_calls_learn_tools(mcpw_http_client *client, mcpw_str *text);
/* How many fields the arguments of a call may take; and puts them there. */
size_t mcpw_http_calls_tool_fields(const mcpw_http_call *call);
MCPW_NODISCARD mcpw_status mcpw_http_calls_add_tool_fields(mcpw_http_call *call);
void mcpw_http_calls_forget_tools(mcpw_http_client *client);

#endif
