/* SPDX-License-Identifier: MIT */
/* mcpwire login, logout, whoami: the user's logins at servers. */
#define _POSIX_C_SOURCE 200809L

#include "login.h"
#include "login_link.h"
#include "login_wipe.h"
#include "options.h"
#include "system.h"
#include "text.h"

#include <mcpw/system.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PORT = 65535, SECRET_SIZE = 4096, MS = 1000, TIME_SIZE = 32 };

typedef struct settings {
    login_facts facts;
    const char *secret_file;
    size_t port;
    login_store_kind store;
    const char *ca_file;
    bool no_browser;
    bool paste;
    bool json;
    bool help;
    const char *url;
} settings;

static bool take_store(void *to, const option *entry, const char *value) {
    static const char *const words[] = {"files", "secret-service"};
    size_t which = 0;
    const bool known = options_choice(entry, value, words, sizeof words / sizeof *words, &which);
    *(login_store_kind *)to = which == 0 ? LOGIN_STORE_FILES : LOGIN_STORE_SECRET_SERVICE;
    return known;
}

static bool take_format(void *to, const option *entry, const char *value) {
    return options_format(entry, value, to);
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

static bool is_url(const char *text) {
    return strncmp(text, "http://", sizeof "http://" - 1) == 0 ||
           strncmp(text, "https://", sizeof "https://" - 1) == 0;
}

static bool read_arguments(settings *set, const option *table, size_t count, int argc, char **argv) {
    option_reader reader = options_begin(table, count, argc, argv);
    const char *value = NULL;
    int which;
    while ((which = options_next(&reader, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND) {
            if (!is_url(value) || set->url != NULL) {
                tool_complain("%s: %s", value,
                              set->url != NULL ? "only one server at once"
                                               : "the URL of a server is expected");
                return false;
            }
            set->url = value;
        } else if (which == OPTION_BAD || !options_apply(&reader, set, which, value)) {
            return false;
        }
    }
    if (!set->help && set->url == NULL) {
        tool_complain("%s needs the URL of a server: mcpwire %s https://example.com/mcp", argv[0], argv[0]);
        return false;
    }
    return true;
}

static void warn(void *user, const char *message) {
    (void)user;
    tool_complain("warning: %s", message);
}

/* Opens the state machine alone, which needs no network. NULL: the error was printed. */
static mcpw_oauth *open_oauth(const login_store *k) {
    mcpw_oauth_credential credential;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_config config = login_store_config(k, &credential);
    config.on_warning = warn;
    mcpw_oauth *const oauth = mcpw_oauth_new(&config, &error);
    if (oauth == NULL) {
        tool_complain("%s", error.message);
    }
    mcpw_oauth_advance(oauth, mcpw_time_of_day());
    return oauth;
}

/* ---- whoami -------------------------------------------------------------------------------------------- */

static void put_time(text *out, uint64_t at_ms) {
    char words[TIME_SIZE] = "";
    const time_t seconds = (time_t)(at_ms / MS);
    struct tm parts;
    if (at_ms != UINT64_MAX && gmtime_r(&seconds, &parts) != NULL) {
        (void)strftime(words, sizeof words, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    text_add(out, words);
}

/* The use of a login. */
typedef enum login_use { USE_VALID, USE_RENEWABLE, USE_NONE } login_use;

static login_use use_of(const mcpw_oauth_login *login) {
    const bool is_valid = login->has_token && login->expires_at > mcpw_time_of_day();
    return is_valid ? USE_VALID : login->has_refresh ? USE_RENEWABLE : USE_NONE;
}

static void put_line(text *out, const char *label, mcpw_str value) {
    enum { COLUMN = 11 };
    text_format(out, "%-*s", COLUMN, label);
    text_safe(out, value.ptr != NULL ? value.ptr : "", value.len);
    text_add(out, "\n");
}

static void put_text(text *out, const mcpw_oauth_login *login, const login_store *k) {
    static const char *const states[] = {[USE_VALID] = "valid",
                                         [USE_RENEWABLE] = "expired; it is renewed when it is used",
                                         [USE_NONE] = "expired"};
    text until = TEXT_INIT;
    put_time(&until, login->expires_at);
    const mcpw_str unknown = mcpw_str_from("unknown");
    const mcpw_str when = {until.buffer.data, until.buffer.len};
    put_line(out, "issuer", login->issuer);
    put_line(out, "resource", login->resource);
    put_line(out, "client id", login->client_id);
    put_line(out, "scopes",
             login->scopes.len != 0 ? login->scopes : mcpw_str_from("not named by the issuer"));
    put_line(out, "token", mcpw_str_from(states[use_of(login)]));
    put_line(out, "expires", when.len != 0 ? when : unknown);
    put_line(out, "renewable", mcpw_str_from(login->has_refresh ? "yes" : "no"));
    put_line(out, "bound", mcpw_str_from(login->is_bound ? "yes, to a key (DPoP)" : "no"));
    put_line(out, "store", mcpw_str_from(login_store_name(k->kind)));
    text_free(&until);
}

static void put_member(text *out, const char *name, mcpw_str value) {
    text_format(out, ",\"%s\":", name);
    if (value.ptr == NULL) {
        text_add(out, "null");
    } else {
        text_json(out, value.ptr, value.len);
    }
}

static void put_scopes(text *out, mcpw_str scopes) {
    text_add(out, ",\"scopes\":[");
    for (size_t at = 0; at < scopes.len;) {
        const char *const blank = memchr(scopes.ptr + at, ' ', scopes.len - at);
        const size_t len = blank != NULL ? (size_t)(blank - scopes.ptr) - at : scopes.len - at;
        if (len != 0) {
            text_add(out, at != 0 ? "," : "");
            text_json(out, scopes.ptr + at, len);
        }
        at += len + 1;
    }
    text_add(out, "]");
}

static void put_json(text *out, const mcpw_oauth_login *login, const login_store *k) {
    text_add(out, "{\"server\":");
    text_json(out, k->url, strlen(k->url));
    put_member(out, "issuer", login->issuer);
    put_member(out, "resource", login->resource);
    put_member(out, "client_id", login->client_id);
    put_scopes(out, login->scopes);
    if (login->expires_at == UINT64_MAX) {
        text_add(out, ",\"expires_at\":null");
    } else {
        text_add(out, ",\"expires_at\":\"");
        put_time(out, login->expires_at);
        text_add(out, "\"");
    }
    text_format(out, ",\"valid\":%s,\"renewable\":%s,\"bound\":%s,\"store\":\"%s\"}\n",
                use_of(login) == USE_VALID ? "true" : "false", login->has_refresh ? "true" : "false",
                login->is_bound ? "true" : "false", login_store_name(k->kind));
}

static int show(const settings *set, login_store *k) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    text out = TEXT_INIT;
    int status = TOOL_FAILED;
    mcpw_oauth *const oauth = open_oauth(k);
    if (oauth != NULL && mcpw_oauth_read(oauth, &login) != MCPW_OK) {
        tool_complain("there is no login at %s; \"mcpwire login URL\" makes one", k->url);
        status = TOOL_INVALID;
    } else if (oauth != NULL) {
        (set->json ? put_json : put_text)(&out, &login, k);
        (void)fwrite(out.buffer.data, 1, out.buffer.len, stdout);
        status = out.lost ? TOOL_FAILED : tool_finish_output();
        text_free(&out);
        status = status == TOOL_OK && use_of(&login) == USE_NONE ? TOOL_INVALID : status;
    }
    mcpw_oauth_free(oauth);
    return status;
}

static const option whoami_options[] = {
    {"--format", "F", "text (default), or json: an object", OPTION_BY(take_format, settings, json)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { WHOAMI_OPTIONS = sizeof whoami_options / sizeof *whoami_options };

static int whoami_help(void) {
    options_explain("usage: mcpwire whoami [--format F] URL\n"
                    "\n"
                    "Shows the login at the server of the Model Context Protocol at a URL: who issued the\n"
                    "token, to which client, for which scopes, and until when. It asks no server, and shows\n"
                    "no secret.\n",
                    whoami_options, WHOAMI_OPTIONS);
    fputs("\n\nexit status: 0 the login can be used, 1 there is none or it has expired, 2 usage error,\n"
          "or the store cannot be read\n",
          stdout);
    return tool_finish_output();
}

static int with_store(const settings *set, int (*act)(const settings *set, login_store *k)) {
    login_store k;
    memset(&k, 0, sizeof k);
    const int status = login_store_open(&k, set->url, LOGIN_STORE_AS_BEFORE) ? act(set, &k) : TOOL_FAILED;
    login_store_close(&k);
    return status;
}

int whoami_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    if (!read_arguments(&set, whoami_options, WHOAMI_OPTIONS, argc, argv)) {
        return TOOL_FAILED;
    }
    return set.help ? whoami_help() : with_store(&set, show);
}

/* ---- logout -------------------------------------------------------------------------------------------- */

static int log_out(const settings *set, login_store *k) {
    login_link link;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    memset(&link, 0, sizeof link);
    if (!login_open(&link, k, LOGIN_NOBODY, set->ca_file)) {
        return TOOL_FAILED;
    }
    mcpw_oauth *const oauth = mcpw_http_login_oauth(link.login);
    const bool was_there = mcpw_oauth_read(oauth, &login) == MCPW_OK;
    if (was_there && mcpw_http_login_log_out(link.login, &error) != MCPW_OK) {
        tool_complain("warning: the login is removed here, but not revoked: %s", error.message);
    }
    const bool is_gone = mcpw_oauth_read(oauth, &login) == MCPW_E_NOT_FOUND;
    login_close(&link);
    if (!is_gone || !login_store_remove(k)) {
        return TOOL_FAILED;
    }
    if (!was_there && !k->has_facts) {
        tool_complain("there was no login at %s", k->url);
        return TOOL_INVALID;
    }
    return TOOL_OK;
}

static const option logout_options[] = {
    {"--cacert", "FILE", "trust the certificates in FILE instead of the system's",
     OPTION_WORD(settings, ca_file)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { LOGOUT_OPTIONS = sizeof logout_options / sizeof *logout_options };

static int logout_help(void) {
    options_explain(
        "usage: mcpwire logout [--cacert FILE] URL\n"
        "\n"
        "Removes the tokens for the server of the Model Context Protocol at a URL, and the stored\n"
        "options of \"mcpwire login\" for it. Registrations of the client stay. The authorization\n"
        "server is asked to revoke the tokens. If it does not within 10 seconds, a warning says so:\n"
        "they are removed here, and stay valid until they expire.\n",
        logout_options, LOGOUT_OPTIONS);
    fputs("\n\nexit status: 0 it is done, 1 there was no login, 2 usage error, or the store cannot be "
          "written\n",
          stdout);
    return tool_finish_output();
}

int logout_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    if (!read_arguments(&set, logout_options, LOGOUT_OPTIONS, argc, argv)) {
        return TOOL_FAILED;
    }
    return set.help ? logout_help() : with_store(&set, log_out);
}

/* ---- login --------------------------------------------------------------------------------------------- */

static const option login_options[] = {
    {"--scope", "SCOPES",
     "request these scopes, separated by spaces, instead of those\nthat the server names",
     OPTION_WORD(settings, facts.scopes)},
    {"--client-id", "ID", "the id of a client that is registered already",
     OPTION_WORD(settings, facts.client_id)},
    {"--client-secret-file", "FILE", "its secret: the first line of FILE; needs --issuer",
     OPTION_WORD(settings, secret_file)},
    {"--issuer", "URL", "log in at this issuer and no other", OPTION_WORD(settings, facts.issuer)},
    {"--client-metadata-url", "URL", "the https URL of a client id metadata document",
     OPTION_WORD(settings, facts.client_metadata_url)},
    {"--no-browser", NULL, "only print the URL to open on this machine", OPTION_FLAG(settings, no_browser)},
    {"--paste", NULL,
     "print the URL to open on any machine, and read the URL to\nwhich the browser is sent from standard "
     "input",
     OPTION_FLAG(settings, paste)},
    {"--redirect-port", "N",
     "the port of the redirect URI, http://127.0.0.1:N/callback\n(default: any free one)",
     OPTION_NUMBER(settings, port, 1, MOST_PORT)},
    {"--store", "F", "keep secrets in files (default), or in the secret-service:\nthe keyring of the desktop",
     OPTION_BY(take_store, settings, store)},
    {"--cacert", "FILE", "trust the certificates in FILE instead of the system's",
     OPTION_WORD(settings, ca_file)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { LOGIN_OPTIONS = sizeof login_options / sizeof *login_options };

static int login_help(void) {
    options_explain("usage: mcpwire login [OPTION...] URL\n"
                    "\n"
                    "Logs in at the server of the Model Context Protocol at a URL, and stores the tokens:\n"
                    "\"mcpwire call URL\" uses and renews them. The user grants access in a browser.\n",
                    login_options, LOGIN_OPTIONS);
    fputs("\n\n"
          "The options are stored with the login, and hold for the next one. Secrets are stored in\n"
          "$XDG_DATA_HOME/mcpwire/logins, or ~/.local/share/mcpwire/logins, for you alone.\n"
          "\n"
          "exit status: 0 logged in, 2 usage error, or the store cannot be used, 3 the login failed\n"
          "\n"
          "examples:\n"
          "  mcpwire login https://example.com/mcp\n"
          "  mcpwire login --issuer https://login.example.com --client-id app --scope \"a b\" \\\n"
          "      https://example.com/mcp\n"
          "  mcpwire whoami https://example.com/mcp\n",
          stdout);
    return tool_finish_output();
}

/* Reads the first line of a file. False: the error was printed. */
static bool read_secret(const char *name, char out[SECRET_SIZE]) {
    FILE *const file = system_open(name);
    if (file != NULL) {
        (void)setvbuf(file, NULL, _IONBF, 0); /* stdio keeps no copy */
    }
    const bool is_read = file != NULL && fgets(out, SECRET_SIZE, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (is_read) {
        const size_t len = strlen(out);
        const bool is_whole = len + 1 < SECRET_SIZE;
        out[strcspn(out, "\r\n")] = '\0';
        if (is_whole && out[0] != '\0') {
            return true;
        }
    }
    tool_complain("--client-secret-file %s: %s", name,
                  is_read ? "a line of at most 4094 bytes is expected" : "it cannot be read, or is empty");
    return false;
}

static bool check_login(const settings *set) {
    if (set->no_browser && set->paste) {
        tool_complain("--no-browser and --paste: only one of them can be done at once");
    } else if (set->secret_file != NULL && (set->facts.client_id == NULL || set->facts.issuer == NULL)) {
        tool_complain(
            "--client-secret-file needs --client-id and --issuer, so that the secret goes nowhere else");
    } else if (set->facts.client_id != NULL && set->facts.client_metadata_url != NULL) {
        tool_complain("--client-id and --client-metadata-url: a client has one id");
    } else {
        return true;
    }
    return false;
}

/* Facts that are not given stay as they were, unless they belong to another client. */
static void add_facts(login_facts *kept, const settings *set) {
    const login_facts *const given = &set->facts;
    if (given->client_id != NULL || given->client_metadata_url != NULL) {
        kept->client_id = given->client_id;
        kept->client_secret = given->client_secret;
        kept->client_metadata_url = given->client_metadata_url;
    }
    if (given->issuer != NULL) {
        const bool is_same = kept->issuer != NULL && strcmp(kept->issuer, given->issuer) == 0;
        kept->client_secret = is_same ? kept->client_secret : given->client_secret;
        kept->issuer = given->issuer;
    }
    kept->scopes = given->scopes != NULL ? given->scopes : kept->scopes;
    kept->redirect_port = set->port != 0 ? (int64_t)set->port : kept->redirect_port;
}

/* Removes the tokens from the store that a login used before. */
static void leave(const char *url, login_store_kind place) {
    login_store k;
    memset(&k, 0, sizeof k);
    mcpw_oauth *const oauth = login_store_open(&k, url, place) ? open_oauth(&k) : NULL;
    mcpw_oauth_forget(oauth);
    if (oauth != NULL && k.store != k.files) {
        (void)login_store_remove_secret(&k);
    }
    mcpw_oauth_free(oauth);
    login_store_close(&k);
}

static int log_in(const settings *set, login_store *k) {
    login_link link;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    memset(&link, 0, sizeof link);
    add_facts(&k->facts, set);
    if (!login_open(&link, k,
                    set->paste        ? LOGIN_PASTE
                    : set->no_browser ? LOGIN_SHOW
                                      : LOGIN_BROWSER,
                    set->ca_file)) {
        return TOOL_FAILED;
    }
    int status = TOOL_LOGIN;
    if (mcpw_http_login_run(link.login, true, &error) != MCPW_OK) {
        tool_complain("%s", error.message);
    } else if (!login_store_write(k, &k->facts)) {
        status = TOOL_FAILED;
    } else if (mcpw_oauth_read(mcpw_http_login_oauth(link.login), &login) == MCPW_OK) {
        tool_complain("logged in at %.*s", (int)login.issuer.len, login.issuer.ptr);
        status = TOOL_OK;
    }
    login_close(&link);
    if (status == TOOL_OK && k->has_facts && k->before != k->kind) {
        leave(k->url, k->before);
    }
    return status;
}

int login_run(int argc, char **argv) {
    settings set;
    login_store k;
    char secret[SECRET_SIZE];
    memset(&set, 0, sizeof set);
    memset(&k, 0, sizeof k);
    if (!read_arguments(&set, login_options, LOGIN_OPTIONS, argc, argv)) {
        return TOOL_FAILED;
    }
    if (set.help) {
        return login_help();
    }
    int status = TOOL_FAILED;
    secret[0] = '\0';
    if (check_login(&set) && (set.secret_file == NULL || read_secret(set.secret_file, secret))) {
        set.facts.client_secret = set.secret_file != NULL ? secret : NULL;
        status = login_store_open(&k, set.url, set.store) ? log_in(&set, &k) : TOOL_FAILED;
        login_store_close(&k);
    }
    login_wipe(secret, sizeof secret);
    return status;
}
