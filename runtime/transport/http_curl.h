/* SPDX-License-Identifier: MIT */
/* Heads and memory of requests and responses of libcurl. */
#ifndef MCPW_HTTP_CURL_H
#define MCPW_HTTP_CURL_H

#include <mcpw/arena.h>
#include <mcpw/http.h>

#include <curl/curl.h>

enum { MCPW_CURL_MOST_HEAD = 1 << 18 /* maximum bytes of the head of a response */ };

/* Memory that is wiped before it is freed, for texts that may have credentials in them. */
mcpw_allocator mcpw_curl_wiping(void);

/* The head of a response. */
typedef struct mcpw_curl_head {
    mcpw_buffer lines;
    mcpw_http_field *fields; /* these point into lines */
    size_t field_count;
} mcpw_curl_head;

#define MCPW_CURL_HEAD_INIT                                                                                  \
    { MCPW_BUFFER_INIT, NULL, 0 }

/* Splits the lines into fields: "Name: value". A line without a colon, such as the status line, is ignored.
 * False: no memory. */
MCPW_NODISCARD bool mcpw_curl_head_cut(mcpw_curl_head *head);
/* The value of the next field of a name after *at, which is moved on; absent: there is none. */
mcpw_str mcpw_curl_head_next(const mcpw_curl_head *head, const char *name, size_t *at);
void mcpw_curl_head_free(mcpw_curl_head *head);

/* Appends fields to the list of a request. MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_curl_add_fields(struct curl_slist **list, const mcpw_http_field *fields,
                                                size_t count);

/* Wipes a list of fields, which may have credentials in it, and frees it. */
void mcpw_curl_free_fields(struct curl_slist *list);

/* Opens a socket that no child of the program inherits. (A function for CURLOPT_OPENSOCKETFUNCTION.) */
curl_socket_t mcpw_curl_open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address);

/* The proxy of a request to an https URL: that of the options, else that of the environment; NULL: none. */
const char *mcpw_curl_proxy(const char *option);

/* Fills in the error of a transfer that failed: libcurl's words, which may repeat those of a server, in a
 * printable form. If there are none, the words of the code stand in their place. */
void mcpw_curl_explain(mcpw_error *error, const char *words, CURLcode code);

#endif
