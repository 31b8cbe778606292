/* SPDX-License-Identifier: MIT */
/* The streams of a session: each message goes to one of them, and can be repeated. */
#ifndef MCPW_HTTP_STREAMS_H
#define MCPW_HTTP_STREAMS_H

#include "http_session.h"

/* Moves the messages of a session to its streams; true: there was one. */
bool mcpw_http_stream_pump(mcpw_http_session *http_session);
/* Sends a message on a stream. A client can resume only after an event that has an id. */
void mcpw_http_stream_send(mcpw_http_session *http_session, mcpw_http_stream *stream, mcpw_str text);
/* Makes the exchange the reader of a stream, in place of the previous one, and repeats the events after
 * `after`. False: no memory for all of them. */
MCPW_NODISCARD bool mcpw_http_stream_attach(mcpw_http_exchange *exchange, mcpw_http_stream *stream,
                                            uint64_t after);
/* Repeats the events after an event of a stream that has ended. */
MCPW_NODISCARD bool mcpw_http_stream_repeat(mcpw_http_exchange *exchange, uint64_t number, uint64_t after);
/* Sends an entry of the cluster's log to the reader of the session's own stream. */
void mcpw_http_stream_send_entry(mcpw_http_session *http_session, uint64_t entry, mcpw_str text);
/* send_part sends one of several events of an entry, and end_parts follows the last. Each has the id of the
 * previous entry, so a client that loses its stream among them gets all of them again. */
void mcpw_http_stream_send_part(mcpw_http_session *http_session, uint64_t entry, mcpw_str text);
void mcpw_http_stream_end_parts(mcpw_http_session *http_session, uint64_t entry);
/* Sends an event without data, whose id is that of the last entry that was looked at: the log was not read to
 * its end, and the client resumes the own stream from there. Does nothing if the client has a later id, or
 * does not accept such events. */
void mcpw_http_stream_send_place(mcpw_http_session *http_session, uint64_t entry);
/* Ends the response of the current reader. */
void mcpw_http_stream_end(mcpw_http_stream *stream);
/* Detaches the exchange from its stream. */
void mcpw_http_stream_leave(mcpw_http_exchange *exchange);
/* Begins the response of an exchange as a stream. With is_primed it begins with an event id, from which the
 * client can resume. */
void mcpw_http_stream_begin(mcpw_http_exchange *exchange, bool is_primed);
/* True if the client accepts an event without data, and resumes a stream that ends early. */
bool mcpw_http_stream_primes(const mcpw_http_session *http_session);
/* Reads an event id. */
bool mcpw_http_stream_read_id(mcpw_str text, uint64_t *number, uint64_t *event);

#endif
