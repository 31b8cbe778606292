/* SPDX-License-Identifier: MIT */
/* The streams of a session: each message goes to one of them, whoever reads it, and can be asked for again.
 */
#ifndef MCPW_HTTP_STREAMS_H
#define MCPW_HTTP_STREAMS_H

#include "http_session.h"

/* Takes out of a session what it has to say, and brings it to its streams; whether that was anything. */
bool mcpw_http_stream_pump(mcpw_http_session *http_session);
/* Says something on a stream. What its client has no id for, it cannot ask for. */
void mcpw_http_stream_say(mcpw_http_session *http_session, mcpw_http_stream *stream, mcpw_str text);
/* The exchange reads the stream from now on, in the place of whoever did; what came after that event is sent
 * again. False: there is no memory for all of it. */
MCPW_NODISCARD bool mcpw_http_stream_attach(mcpw_http_exchange *exchange, mcpw_http_stream *stream,
                                            uint64_t after);
/* Sends what came after an event of a stream that has ended. */
MCPW_NODISCARD bool mcpw_http_stream_repeat(mcpw_http_exchange *exchange, uint64_t number, uint64_t after);
/* An entry of the cluster's log goes to who reads the session's own stream. */
void mcpw_http_stream_tell(mcpw_http_session *http_session, uint64_t entry, mcpw_str text);
/* One of the events of an entry goes there. They have the id of the entry before, so a client that loses its
 * stream among them gets them all again. Then that was the last of them. */
void mcpw_http_stream_tell_part(mcpw_http_session *http_session, uint64_t entry, mcpw_str text);
void mcpw_http_stream_tell_end(mcpw_http_session *http_session, uint64_t entry);
/* Nothing more is said on a stream to who reads it now: its response ends. */
void mcpw_http_stream_end(mcpw_http_stream *stream);
/* The exchange reads its stream no more. */
void mcpw_http_stream_leave(mcpw_http_exchange *exchange);
/* Begins the response of an exchange, which is a stream. With an id its client can ask for what comes, if it
 * knows how (is_primed). */
void mcpw_http_stream_begin(mcpw_http_exchange *exchange, bool is_primed);
/* Whether the session's client takes an event without data, and comes back when a stream ends early. */
bool mcpw_http_stream_primes(const mcpw_http_session *http_session);
/* Reads an id of an event. */
bool mcpw_http_stream_read_id(mcpw_str text, uint64_t *number, uint64_t *event);

#endif
