/* SPDX-License-Identifier: MIT */
/*
 * Logins for the client of <mcpw/http_connect.h>. The library mcpwire::http_login makes the requests of
 * <mcpw/oauth.h> by libcurl, opens the user's browser, and listens on this machine for the redirect. For
 * POSIX and Windows.
 *
 *     mcpw_http_login_options login = MCPW_HTTP_LOGIN_OPTIONS_INIT;
 *     login.url = options.url = "https://mcp.example.com/mcp";
 *     options.login = mcpw_http_login_new(&login, &error);
 *     client = options.login != NULL ? mcpw_client_connect(&options, &config, &error) : NULL;
 *     ...
 *     mcpw_client_free(client);
 *     mcpw_http_login_free(options.login);
 *
 * This is all that a program on a user's machine needs. A request that the server refuses with status 401, or
 * with 403 because of a scope, waits for the login and is then sent again. Requests that come meanwhile wait
 * as well, streams stay open, and the timeouts of the session are suspended. Tokens are kept in files, are
 * renewed before they expire, and serve the next run. A failed login fails the requests that wait for it,
 * with MCPW_E_UNAUTHORIZED and the reason. No function but mcpw_http_login_run and
 * mcpw_http_login_log_out blocks.
 *
 * These rules protect the user and the network:
 *   - Redirects are not followed, neither on requests to the MCP server nor on those of the login. The state
 *     machine of <mcpw/oauth.h> checks each redirect of a metadata document.
 *   - The authorization server gets none of the program's header fields, no cookie and no client certificate.
 *   - If the MCP server has a public address, the addresses of the login must be public, too. The address
 *     that is checked is the one that is connected to.
 *   - A proxy resolves host names itself. With a proxy, all requests of the login go through it, no_proxy is
 *     ignored, and only addresses that URLs spell out are checked.
 *   - The page that the user opens is https, or http on this machine. Its URL is one argument of the
 *     browser's command, which no shell reads.
 *   - The listener has a random port of 127.0.0.1 (or ::1) and one path. It accepts one GET request, with the
 *     `state` of this login. It answers any other request with 404 or 400, and repeats nothing of it. It
 *     closes when the login ends.
 *
 * Threads: a login belongs to the thread of its client, and to one client at a time. Callbacks must not call
 * functions of this header, except for mcpw_http_login_redirected in on_open.
 */
#ifndef MCPW_HTTP_LOGIN_H
#define MCPW_HTTP_LOGIN_H

#include <mcpw/http_connect.h>
#include <mcpw/oauth.h>

MCPW_BEGIN_DECLS

/* How to log in. 0 and NULL mean the default. Everything is copied, except the data of callbacks, and the
 * store and the signers of `oauth`. Initialise with MCPW_HTTP_LOGIN_OPTIONS_INIT. */
typedef struct mcpw_http_login_options {
    size_t struct_size; /* set by MCPW_HTTP_LOGIN_OPTIONS_INIT */
    const char *url;    /* required: URL of the MCP server, as in mcpw_http_connect_options */
    /* The config of the login: grant, credentials, scopes. `url` takes the place of its server_url. If
     * redirect_uri is NULL, the redirect goes to http://127.0.0.1:PORT/callback, at a port that is free. If
     * redirect_uri is an http URL with a port and the host 127.0.0.1, [::1] or localhost, the listener
     * listens there. For localhost it listens at 127.0.0.1 and at ::1, because a browser may use either. Any
     * other URI needs on_open, and the program passes the redirect to mcpw_http_login_redirected. NULL:
     * everything at its default. */
    const mcpw_oauth_config *oauth;
    /* The directory for files of tokens and registrations; it must belong to the user alone. It is ignored if
     * `oauth` has a store. NULL: mcpwire/logins in $XDG_DATA_HOME (default ~/.local/share, on Windows
     * %LOCALAPPDATA%), which all programs of the user share. "": they are kept in memory alone. */
    const char *directory;
    /* The command that opens a page: words separated by blanks. A word %s stands for the URL; without one,
     * the URL becomes the last word. NULL: the commands of $BROWSER, separated by colons, then xdg-open (on
     * macOS open). "": no browser is opened. On Windows it is one program, which gets the URL; NULL: that of
     * BROWSER, else the user's browser. */
    const char *browser;
    /* Called with the URL of the page before the browser is opened. The URL lives during the call. A program
     * may show it, or set browser to "" and open it itself. A program without a user may request the URL
     * itself and pass the redirect to mcpw_http_login_redirected. A status other than MCPW_OK fails the
     * login; return one, for example, if no user is there. NULL: the URL is printed to standard error. */
    mcpw_status (*on_open)(void *user, mcpw_http_login *login, const char *url);
    /* Reports a failure that does not end the login: a browser that does not start, a store that fails. The
     * message contains no secret. NULL: on_warning of oauth. */
    void (*on_warning)(void *user, const char *message);
    void *user;                  /* passed to on_open and on_warning */
    const char *proxy;           /* as in mcpw_http_connect_options */
    const char *ca_file;         /* trusted certificates, PEM; default: the system's */
    unsigned connect_timeout_ms; /* ms until a connection is given up; default 30000 */
} mcpw_http_login_options;

/* Everything at its default. */
#define MCPW_HTTP_LOGIN_OPTIONS_INIT MCPW_SIZED(mcpw_http_login_options)

/* Makes a login for mcpw_http_connect_options. Free it with mcpw_http_login_free. NULL, with error filled in,
 * if an option or a member of the config is not usable, the directory does not belong to the user alone, the
 * port is taken, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_http_login *mcpw_http_login_new(const mcpw_http_login_options *options,
                                                                    mcpw_error *error);
/* Frees a login. Free its client first. Files of tokens stay. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_http_login_free(mcpw_http_login *login);

/* The state machine, for mcpw_oauth_read and mcpw_oauth_forget (to log out, see mcpw_http_login_log_out). It
 * lives as long as the login. */
MCPW_STATIC_API mcpw_oauth *mcpw_http_login_oauth(mcpw_http_login *login);

/* Logs in now, without a request of a client, and blocks until the login ends. A valid token is kept, unless
 * `again` is set: then the user is asked again. The status is that of the error. MCPW_E_STATE: a login for a
 * client is under way. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_http_login_run(mcpw_http_login *login, bool again,
                                                               mcpw_error *error);

/* Logs out: ends a login that is under way, removes the tokens here and in the store, and asks the
 * authorization server to revoke them. It blocks until that has responded, at most 10000 ms. Whatever it
 * returns, the tokens are removed here. MCPW_OK: they are revoked, or there were none. Any other status: they
 * are not revoked, stay valid until they expire, and error has the reason; MCPW_E_NOT_FOUND: the server
 * revokes none. (RFC 7009.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_http_login_log_out(mcpw_http_login *login, mcpw_error *error);

/* Takes the redirect from a program that receives it itself: its URL, or its query alone. Errors are those of
 * mcpw_oauth_redirected. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_http_login_redirected(mcpw_http_login *login,
                                                                      mcpw_str redirect, mcpw_error *error);

MCPW_END_DECLS

#endif
