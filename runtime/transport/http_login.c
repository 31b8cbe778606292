/* SPDX-License-Identifier: MIT */
/* Carries out the steps of a login. The HTTP client calls it by the table of http_login.h. */
#define _POSIX_C_SOURCE 200809L
#include "login_internal.h"

#include <mcpw/io.h>
#include <mcpw/system.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONNECT_TIMEOUT = 30000, MOST_EVENTS = 16, MOST_BROWSERS = 8 };

typedef struct login {
    mcpw_http_login table; /* its first member: the two have one address */
    mcpw_http_login_options options;
    void *warned;      /* passed to on_warning of the options, which may be that of the config */
    mcpw_arena memory; /* of the texts of the options */
    mcpw_oauth *oauth;
    mcpw_oauth_store *files; /* NULL: the store is the program's, or in memory */
    mcpw_login_network network;
    mcpw_login_listener *listener;              /* NULL: the program takes the redirect */
    mcpw_login_browser browsers[MOST_BROWSERS]; /* that may still run; 0: none */
    bool is_active;                             /* the state machine wants its next step */
    bool has_failed; /* in the last work(), so that no request begins another login at once */
    mcpw_error why;
    uint64_t until;      /* when the next step is due, in ms of mcpw_io_now */
    uint64_t began_at;   /* when the login became active: by the system clock */
    uint64_t began_here; /* likewise, in ms of mcpw_io_now */
} login;

static login *login_of(mcpw_http_login *table) { return (login *)(void *)table; }

/* ---- Time ---------------------------------------------------------------------------------------------- */

/* The time of the state machine. If the system clock is set back during a login, this time goes on, so that
 * the login keeps its deadline. */
static uint64_t time_of(const login *self) {
    const uint64_t now = mcpw_time_of_day();
    const uint64_t steady = self->began_at + (mcpw_io_now() - self->began_here);
    return self->is_active && steady > now ? steady : now;
}

static void tell_time(const login *self) { mcpw_oauth_advance(self->oauth, time_of(self)); }

/* The state machine wants its next step. */
static void activate(login *self) {
    if (!self->is_active) {
        self->began_at = mcpw_time_of_day();
        self->began_here = mcpw_io_now();
    }
    self->is_active = true;
    self->until = 0;
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

static void warn(const login *self, const mcpw_error *error) {
    if (self->options.on_warning != NULL) {
        self->options.on_warning(self->warned, error->message);
    }
}

static void reap(login *self) {
    for (size_t i = 0; i < MOST_BROWSERS; i++) {
        mcpw_login_reap(&self->browsers[i]);
    }
}

/* A slot for a browser. If there are too many, the last one is forgotten. */
static mcpw_login_browser *slot_of_browser(login *self) {
    size_t i = 0;
    while (i < MOST_BROWSERS - 1 && self->browsers[i] != 0) {
        i++;
    }
    return &self->browsers[i];
}

/* Sends the user to the authorization URL. */
static mcpw_status open_authorization_url(login *self, const char *url, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    if (!mcpw_login_may_open(url)) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0,
                              "authorization_endpoint: expected https, or http on this machine");
    }
    if (self->listener != NULL) {
        status = mcpw_login_listener_open(self->listener, error);
    }
    if (status == MCPW_OK && self->options.on_open != NULL) {
        status = self->options.on_open(self->options.user, &self->table, url);
        if (status != MCPW_OK) {
            mcpw_error_set(error, status, 0, "a user has to log in, and there is none");
        }
    } else if (status == MCPW_OK) {
        (void)fprintf(stderr, "Open this URL to log in:\n%s\n", url);
    }
    mcpw_error why;
    const char *const browser = self->options.browser;
    if (status == MCPW_OK && (browser == NULL || browser[0] != '\0') &&
        mcpw_login_open_browser(browser, url, slot_of_browser(self), &why) != MCPW_OK) {
        warn(self, &why); /* the user has the URL */
    }
    return status;
}

static mcpw_status end_login(login *self, mcpw_status status, mcpw_error *error) {
    self->is_active = false;
    self->has_failed = status != MCPW_OK;
    mcpw_login_request_drop(&self->network);
    mcpw_login_listener_close(self->listener);
    if (self->has_failed) {
        self->why.code = status;
        if (error != NULL) {
            *error = self->why;
        }
    }
    return status;
}

/* Carries out steps until one of them has to wait. */
static mcpw_status take_steps(login *self, mcpw_error *error) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_status status = MCPW_OK;
    for (;;) {
        switch (mcpw_oauth_next(self->oauth, &order, &self->why)) {
        case MCPW_OAUTH_SEND:
            status = mcpw_login_request_begin(&self->network, &order, &self->why);
            if (status != MCPW_OK) {
                mcpw_oauth_no_response(self->oauth, &self->why);
            }
            break;
        case MCPW_OAUTH_OPEN:
            status = open_authorization_url(self, order.url.ptr, &self->why);
            if (status != MCPW_OK) {
                mcpw_oauth_begin(self->oauth, false); /* ends it */
                return end_login(self, status, error);
            }
            break;
        case MCPW_OAUTH_WAIT: {
            const uint64_t now = time_of(self);
            const uint64_t rest = order.until > now ? order.until - now : 0;
            self->until = order.until != UINT64_MAX ? mcpw_io_now() + rest : UINT64_MAX;
            return MCPW_PENDING;
        }
        case MCPW_OAUTH_DONE:
            return end_login(self, MCPW_OK, error);
        default:
            return end_login(self, self->why.code, error);
        }
    }
}

/* Passes events of sockets on. */
static void drive(login *self) {
    mcpw_os_ready ready[MOST_EVENTS];
    const size_t count = mcpw_os_set_take(self->table.set, ready, MOST_EVENTS, 0);
    for (size_t i = 0; i < count; i++) {
        if (!mcpw_login_listener_has(self->listener, ready[i].who)) {
            mcpw_curl_loop_ready(&self->network.loop, ready + i);
        }
    }
    mcpw_login_network_work(&self->network, self->oauth);
    mcpw_login_listener_work(self->listener, self->oauth, mcpw_io_now());
    reap(self);
}

/* ---- The table ----------------------------------------------------------------------------------------- */

static mcpw_status work(mcpw_http_login *table, mcpw_error *error) {
    login *const self = login_of(table);
    self->has_failed = false;
    tell_time(self);
    drive(self);
    const mcpw_status status = self->is_active ? take_steps(self, error) : MCPW_OK;
    mcpw_os_set_settle(self->table.set);
    return status;
}

static uint64_t due(const mcpw_http_login *table) {
    const login *const self = (const login *)(const void *)table;
    const uint64_t connections = mcpw_login_listener_due(self->listener);
    const uint64_t loop = mcpw_curl_loop_due(&self->network.loop);
    uint64_t next = self->is_active ? self->until : UINT64_MAX;
    next = loop < next ? loop : next;
    return connections < next ? connections : next;
}

static void stop(mcpw_http_login *table) {
    login *const self = login_of(table);
    if (self->is_active) {
        mcpw_oauth_begin(self->oauth, false); /* ends it */
        (void)end_login(self, MCPW_OK, NULL);
    }
}

/* Whether there is a token that lasts. */
static bool has_token(const login *self) {
    mcpw_oauth_login state = MCPW_OAUTH_LOGIN_INIT;
    return mcpw_oauth_read(self->oauth, &state) == MCPW_OK && state.has_token &&
           state.expires_at > mcpw_time_of_day();
}

static mcpw_status fields(mcpw_http_login *table, const char *method, mcpw_oauth_pass *pass,
                          mcpw_error *error) {
    login *const self = login_of(table);
    tell_time(self);
    if (self->has_failed && !has_token(self)) {
        if (error != NULL) {
            *error = self->why;
        }
        return self->why.code;
    }
    const mcpw_status status = mcpw_oauth_fields(self->oauth, method, self->table.url, pass, error);
    if (status == MCPW_PENDING) {
        activate(self);
    }
    return status;
}

static mcpw_oauth_action answered(mcpw_http_login *table, const mcpw_oauth_pass *pass,
                                  const mcpw_http_login_response *response, mcpw_error *error) {
    login *const self = login_of(table);
    tell_time(self);
    if (response->peer != NULL) {
        mcpw_login_network_note_address(&self->network, response->peer);
    }
    const mcpw_oauth_action action = mcpw_oauth_answered(
        self->oauth, pass, response->status, response->www_authenticate, response->dpop_nonce, error);
    if (action == MCPW_OAUTH_BEGIN) {
        activate(self);
    }
    return action;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static bool copy(login *self, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&self->memory, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

/* Sets the store: that of the program, else files. */
static mcpw_status choose_store(login *self, mcpw_oauth_config *config, mcpw_error *error) {
    const char *directory = self->options.directory;
    char path[MCPW_LOGIN_PATH_SIZE];
    if (config->store != NULL || (directory != NULL && directory[0] == '\0')) {
        return MCPW_OK;
    }
    if (directory == NULL) {
        const mcpw_status status = mcpw_login_directory(path, error);
        if (status != MCPW_OK) {
            return status;
        }
        directory = path;
    }
    self->files = mcpw_oauth_files_new(directory, error);
    config->store = self->files;
    return self->files != NULL ? MCPW_OK : MCPW_E_IO;
}

/* Binds the listener, if the redirect comes to this machine. */
static mcpw_status choose_redirect(login *self, mcpw_oauth_config *config, char uri[MCPW_LOGIN_URI_SIZE],
                                   mcpw_error *error) {
    uri[0] = '\0';
    if (config->grant != MCPW_OAUTH_CODE) {
        return MCPW_OK;
    }
    if (config->redirect_uri != NULL) {
        if (!mcpw_login_can_listen_at(config->redirect_uri) ||
            strlen(config->redirect_uri) >= MCPW_LOGIN_URI_SIZE) {
            return MCPW_OK; /* the program takes it */
        }
        memcpy(uri, config->redirect_uri, strlen(config->redirect_uri) + 1);
    }
    self->listener = mcpw_login_listener_new(uri, self->table.set, error);
    config->redirect_uri = uri;
    return self->listener != NULL ? MCPW_OK : MCPW_E_IO;
}

static mcpw_status prepare(login *self, mcpw_error *error) {
    mcpw_http_login_options *const options = &self->options;
    mcpw_oauth_config config = MCPW_OAUTH_CONFIG_INIT;
    char uri[MCPW_LOGIN_URI_SIZE];
    int number;
    if (!MCPW_TAKE(&config, user, options->oauth)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "oauth was not initialised with MCPW_OAUTH_CONFIG_INIT");
    }
    options->oauth = NULL; /* the state machine has a copy */
    if (!copy(self, &options->url) || !copy(self, &options->directory) || !copy(self, &options->browser) ||
        !copy(self, &options->proxy) || !copy(self, &options->ca_file)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a login");
    }
    self->table.url = options->url;
    self->network.url = options->url;
    self->network.proxy = options->proxy;
    self->network.ca_file = options->ca_file;
    self->network.connect_timeout_ms =
        options->connect_timeout_ms != 0 ? options->connect_timeout_ms : CONNECT_TIMEOUT;
    self->table.set = mcpw_os_set_new(&number);
    if (self->table.set == NULL || !mcpw_curl_loop_open(&self->network.loop, self->table.set)) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "libcurl cannot be used");
    }
    config.server_url = options->url;
    if (options->on_warning == NULL) {
        options->on_warning = config.on_warning;
    } else {
        config.on_warning = options->on_warning;
        config.user = options->user;
    }
    self->warned = config.user;
    mcpw_status status = choose_store(self, &config, error);
    status = status == MCPW_OK ? choose_redirect(self, &config, uri, error) : status;
    if (status == MCPW_OK) {
        self->oauth = mcpw_oauth_new(&config, error);
        status = self->oauth != NULL ? MCPW_OK : MCPW_E_ARGUMENT;
    }
    return status;
}

mcpw_http_login *mcpw_http_login_new(const mcpw_http_login_options *options, mcpw_error *error) {
    login *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a login");
        return NULL;
    }
    self->table =
        (mcpw_http_login){.fields = fields, .answered = answered, .work = work, .due = due, .stop = stop};
    self->memory = (mcpw_arena)MCPW_ARENA_INIT;
    self->network.loop.due = UINT64_MAX;
    self->until = UINT64_MAX;
    self->options = (mcpw_http_login_options)MCPW_HTTP_LOGIN_OPTIONS_INIT;
    if (options == NULL || !MCPW_TAKE(&self->options, connect_timeout_ms, options) ||
        self->options.url == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a URL is needed: see MCPW_HTTP_LOGIN_OPTIONS_INIT");
        mcpw_http_login_free(&self->table);
        return NULL;
    }
    if (prepare(self, error) != MCPW_OK) {
        mcpw_http_login_free(&self->table);
        return NULL;
    }
    return &self->table;
}

void mcpw_http_login_free(mcpw_http_login *table) {
    if (table == NULL) {
        return;
    }
    login *const self = login_of(table);
    mcpw_login_network_close(&self->network);
    mcpw_login_listener_free(self->listener);
    mcpw_oauth_free(self->oauth);
    mcpw_oauth_files_free(self->files);
    reap(self);
    mcpw_os_set_free(self->table.set);
    mcpw_arena_free(&self->memory);
    free(self);
}

mcpw_oauth *mcpw_http_login_oauth(mcpw_http_login *table) {
    return table != NULL ? login_of(table)->oauth : NULL;
}

mcpw_status mcpw_http_login_redirected(mcpw_http_login *table, mcpw_str redirect, mcpw_error *error) {
    if (table != NULL) {
        tell_time(login_of(table)); /* the user may have needed minutes, and the next deadline begins now */
    }
    const mcpw_status status = mcpw_oauth_redirected(mcpw_http_login_oauth(table), redirect, error);
    if (status == MCPW_OK) {
        login_of(table)->until = 0; /* the next step can be taken */
    }
    return status;
}

/* Takes steps, and waits, until the login has ended. */
static mcpw_status complete(login *self, mcpw_error *error) {
    mcpw_status status = MCPW_PENDING;
    activate(self);
    while ((status = work(&self->table, error)) == MCPW_PENDING) {
        const uint64_t now = mcpw_io_now();
        const uint64_t next = due(&self->table);
        const uint64_t rest = next > now ? next - now : 0;
        mcpw_os_ready ready; /* work() asks again */
        (void)mcpw_os_set_take(self->table.set, &ready, 1,
                               next == UINT64_MAX ? -1
                               : rest < INT_MAX   ? (int)rest
                                                  : INT_MAX);
    }
    return status;
}

mcpw_status mcpw_http_login_run(mcpw_http_login *table, bool again, mcpw_error *error) {
    if (table == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a login is needed: see mcpw_http_login_new");
    }
    login *const self = login_of(table);
    if (self->is_active) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "a login is under way already");
    }
    tell_time(self);
    mcpw_oauth_begin(self->oauth, again);
    return complete(self, error);
}

mcpw_status mcpw_http_login_log_out(mcpw_http_login *table, mcpw_error *error) {
    if (table == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a login is needed: see mcpw_http_login_new");
    }
    login *const self = login_of(table);
    stop(table);
    tell_time(self);
    mcpw_oauth_revoke(self->oauth);
    const mcpw_status status = complete(self, error);
    self->has_failed = false; /* which would fail the next request, though it may log in */
    return status;
}
