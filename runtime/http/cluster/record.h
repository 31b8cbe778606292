/* SPDX-License-Identifier: MIT */
/* The record that a cluster keeps of a session. It contains the data that a process needs to serve the
 * session, and no message of the client. */
#ifndef MCPW_RECORD_H
#define MCPW_RECORD_H

#include "../session/http_session.h"

/* Writes the result of initialize. Errors of this and the next three: MCPW_E_SIZE: the record would exceed
 * max_record_bytes; MCPW_E_IO and others: from the cluster's functions. */
MCPW_NODISCARD mcpw_status mcpw_record_open(mcpw_http_session *http_session);
/* Writes that notifications/initialized has come. */
MCPW_NODISCARD mcpw_status mcpw_record_initialized(const mcpw_http_session *http_session);
/* Writes the session's level of log messages. */
MCPW_NODISCARD mcpw_status mcpw_record_level(const mcpw_http_session *http_session);
/* Writes whether the session is subscribed to a resource. */
MCPW_NODISCARD mcpw_status mcpw_record_subscription(const mcpw_http_session *http_session, mcpw_str uri);

/* Makes a session from the record of another process.
 *   MCPW_E_NOT_FOUND  there is none for this principal
 *   MCPW_E_FORMAT     the record is damaged
 *   MCPW_E_SIZE       it is longer than any that processes of this configuration write
 *   MCPW_E_VERSION    a newer version of the library has written it
 *   MCPW_E_FULL, MCPW_E_MEMORY, MCPW_E_IO */
MCPW_NODISCARD mcpw_status mcpw_record_restore(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                                               mcpw_http_session **http_session);

#endif
