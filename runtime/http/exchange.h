/* SPDX-License-Identifier: MIT */
/* An exchange and its server, as the parts of this room know them. */
#ifndef MCPW_EXCHANGE_H
#define MCPW_EXCHANGE_H

#include <mcpw/http.h>
#include <mcpw/json.h>

/* HTTP statuses that are answered here. */
enum {
    MCPW_HTTP_OK = 200,
    MCPW_HTTP_ACCEPTED = 202,
    MCPW_HTTP_BAD_REQUEST = 400,
    MCPW_HTTP_FORBIDDEN = 403,
    MCPW_HTTP_NOT_FOUND = 404,
    MCPW_HTTP_METHOD_NOT_ALLOWED = 405,
    MCPW_HTTP_NOT_ACCEPTABLE = 406,
    MCPW_HTTP_TIMEOUT = 408,
    MCPW_HTTP_TOO_LARGE = 413,
    MCPW_HTTP_UNSUPPORTED_TYPE = 415,
    MCPW_HTTP_HEAD_TOO_LARGE = 431,
    MCPW_HTTP_INTERNAL_ERROR = 500,
    MCPW_HTTP_UNAVAILABLE = 503
};

/* Errors of JSON-RPC that have a status of their own (MCP 2026-07-28, "Streamable HTTP", server validation).
 */
enum {
    MCPW_RPC_HEADER_MISMATCH = -32020,    /* header and body do not agree */
    MCPW_RPC_MISSING_CAPABILITY = -32021, /* the client has not declared what the request needs */
    MCPW_RPC_UNSUPPORTED_VERSION = -32022 /* the server does not speak the revision */
};

enum { MCPW_ANSWER_FIELDS = 3 /* most fields of a response */ };

/* What an exchange does. Its response is another matter: it may be there from the beginning. */
typedef enum mcpw_exchange_phase {
    MCPW_EXCHANGE_READS, /* the body comes */
    MCPW_EXCHANGE_SERVES /* the session has the message, or the response is complete */
} mcpw_exchange_phase;

struct mcpw_http_exchange {
    mcpw_http_server *server;
    mcpw_http_exchange *next;
    mcpw_http_exchange *previous;
    mcpw_session *session; /* stays with the memory of the exchange, for the exchanges to come */
    void *user;
    mcpw_arena arena; /* fields, and what checking needs */
    const mcpw_http_field *fields;
    size_t field_count;
    mcpw_str principal;
    mcpw_buffer body;
    mcpw_exchange_phase phase;
    bool is_request; /* the message wants an answer */
    bool is_pending; /* the session has the message and may say more about it */
    bool is_gone;    /* it was closed while another thread had its request */
    uint64_t due;    /* when the body has taken too long, or a comment goes out; UINT64_MAX: never */

    int status; /* of the response; 0: there is none yet */
    mcpw_http_field answer[MCPW_ANSWER_FIELDS];
    size_t answer_count;
    bool streams;
    bool is_over;    /* the response is complete */
    bool head_given; /* to the program; likewise: */
    bool end_given;
    mcpw_buffer out; /* of the response's body, what is not given yet */
    mcpw_str fixed;  /* a text of the library's own in its place, where there is no memory */
    bool out_given;  /* what out holds was given, and stays until the next step is asked for */
};

struct mcpw_http_server {
    mcpw_http_config config; /* its texts are the server's own */
    mcpw_arena memory;
    mcpw_http_exchange *open; /* the newest first */
    mcpw_http_exchange *idle;
    mcpw_http_exchange *cursor; /* of mcpw_http_ready: where to go on */
    bool is_walking;            /* cursor counts */
    bool is_ended;
    size_t open_count;
    size_t idle_count;
    uint64_t now;
    uint64_t due; /* no exchange is due before */
};

/* ---- answer.c ---- */

/* Answers by an error of JSON-RPC; id as it stands in the request, absent where it could not be read. */
void mcpw_exchange_refuse(mcpw_http_exchange *exchange, int status, int64_t code, mcpw_json id,
                          const char *message);
/* Answers without a body. */
void mcpw_exchange_accept(mcpw_http_exchange *exchange);
/* Takes out of the session what it has to say, until there is enough to send. */
void mcpw_exchange_pump(mcpw_http_exchange *exchange);
/* Sends a comment, which nobody reads. */
void mcpw_exchange_comment(mcpw_http_exchange *exchange);
/* Whether mcpw_http_next has anything to give. */
bool mcpw_exchange_has_output(const mcpw_http_exchange *exchange);

/* ---- head.c ---- */

/* Checks the head of a request, and answers what is wrong with it. */
void mcpw_exchange_check_head(mcpw_http_exchange *exchange, const mcpw_http_request *request);

/* ---- body.c ---- */

/* Checks the message in the body against the head, in the order that decides by which code it is answered.
 * False: it was answered. */
MCPW_NODISCARD bool mcpw_exchange_check_body(mcpw_http_exchange *exchange);

/* ---- server.c ---- */

/* Sees to it that the server's time of waiting ends with the exchange's. */
void mcpw_exchange_await(mcpw_http_exchange *exchange);

#endif
