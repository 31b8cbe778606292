/* SPDX-License-Identifier: MIT */
/* Sessions that several processes serve. Each that is asked has a copy of its own, made of what the cluster
 * keeps of it; what its client says to one copy, and the others have to know, goes through the log. */
#ifndef MCPW_CLUSTER_H
#define MCPW_CLUSTER_H

#include "../session/sessions.h"

static inline bool mcpw_has_cluster(const mcpw_http_server *server) { return server->cluster.number != 0; }

/* Takes the config's cluster. MCPW_E_ARGUMENT: it has no number, or sessions have no store with it. */
MCPW_NODISCARD mcpw_status mcpw_cluster_begin(mcpw_http_server *server, mcpw_error *error);
void mcpw_cluster_free(mcpw_http_server *server);

/* A copy of a session was made: its streams and input requests get numbers that no other process gives. */
void mcpw_cluster_number(mcpw_http_session *http_session);
/* The number of the session's next stream. */
uint64_t mcpw_cluster_next_stream(mcpw_http_session *http_session);
/* Whether a stream is one of another process's. */
bool mcpw_cluster_is_foreign(const mcpw_http_server *server, uint64_t stream);

/* Makes a copy of a session that another process has opened, by its record. As mcpw_record_restore. */
MCPW_NODISCARD mcpw_status mcpw_cluster_adopt(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                                              mcpw_http_session **http_session);
/* A copy is used: the session lives on. MCPW_E_NOT_FOUND: it has ended elsewhere. */
MCPW_NODISCARD mcpw_status mcpw_cluster_touch(mcpw_http_session *http_session);
/* The session is over, in all processes. */
void mcpw_cluster_end(mcpw_http_session *http_session);

/* Looks at the message of an exchange: which part of the record is written once it is granted. A notification
 * or an answer is passed on to other processes now. MCPW_E_SIZE: it is too long for that, and nothing is kept
 * of it. */
MCPW_NODISCARD mcpw_status mcpw_cluster_look_at(mcpw_http_exchange *exchange);
/* The message was granted: the record says so, and other processes are told. If that fails, the client
 * is answered that it was not done. */
MCPW_NODISCARD mcpw_status mcpw_cluster_keep(const mcpw_http_exchange *exchange);

/* What a copy says that belongs to no request goes into the log, and from there to who reads the session's
 * own stream. */
void mcpw_cluster_say_on_own(mcpw_http_session *http_session, const mcpw_outgoing *said);
/* That stream is read here from now on, and in no other process. */
void mcpw_cluster_reads(const mcpw_http_session *http_session);
/* Says again on that stream what came after an entry; false: it could not be done. */
MCPW_NODISCARD bool mcpw_cluster_repeat(mcpw_http_session *http_session, uint64_t after);

#endif
