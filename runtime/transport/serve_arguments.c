/* SPDX-License-Identifier: MIT */
/* The command-line arguments of a server. */
#include <mcpw/error.h>

#include "serve_command.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORKERS = 1024, MOST_PORT = 65535, BASE = 10, COLUMN = 26 };

/* Takes the value of an argument; false: it is invalid. */
typedef bool (*take)(mcpw_serve_arguments *to, const char *value, mcpw_error *error);

typedef struct argument {
    const char *name;
    const char *value; /* its name in --help; NULL: it has no value */
    const char *help;
    bool is_of_http; /* it needs --http */
    take take;
} argument;

static bool refuse(mcpw_error *error, const char *why) {
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", why);
    return false;
}

/* Reads a decimal number up to `most`. */
static bool read_number(const char *text, size_t len, unsigned most, unsigned *out) {
    unsigned number = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        number = number * BASE + (unsigned)(text[i] - '0');
        if (number > most) {
            return false;
        }
    }
    *out = number;
    return len != 0;
}

/* Reads "8080", "127.0.0.1:8080" or "[::1]:8080". */
static bool take_http(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    static const char why[] = "it is PORT, ADDRESS:PORT or [ADDRESS]:PORT, with an address in digits";
    const char *const colon = strrchr(value, ':');
    const char *const digits = colon != NULL ? colon + 1 : value;
    const char *address = value;
    size_t len = colon != NULL ? (size_t)(colon - value) : 0;
    unsigned port = 0;
    if (!read_number(digits, strlen(digits), MOST_PORT, &port)) {
        return refuse(error, why);
    }
    if (len >= 2 && address[0] == '[' && address[len - 1] == ']') {
        address++;
        len -= 2;
    } else if (memchr(address, ':', len) != NULL) {
        return refuse(error, why);
    }
    if (len >= sizeof to->address || (colon != NULL && len == 0)) {
        return refuse(error, why);
    }
    memcpy(to->address, address, len);
    to->address[len] = '\0';
    if (strcmp(to->address, "localhost") == 0) {
        (void)snprintf(to->address, sizeof to->address, "127.0.0.1");
    }
    to->port = (uint16_t)port;
    to->over_http = true;
    return true;
}

static bool take_path(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    to->path = value;
    return value[0] == '/' || refuse(error, "a path begins with a slash");
}

static bool take_cert(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    (void)error;
    to->tls_cert = value;
    return true;
}

static bool take_key(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    (void)error;
    to->tls_key = value;
    return true;
}

static bool take_bearer(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    (void)error;
    to->bearer_file = value;
    return true;
}

/* Appends a name to the list. A space replaces the NUL before it. */
static bool add_name(mcpw_buffer *names, const char *value, mcpw_error *error) {
    if (value[0] == '\0' || strpbrk(value, " \t\r\n") != NULL) {
        return refuse(error, "it is one name, without blanks");
    }
    if (names->len != 0) {
        names->data[names->len - 1] = ' ';
    }
    if (mcpw_buffer_append(names, value, strlen(value) + 1) != MCPW_OK) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return false;
    }
    return true;
}

static bool take_host(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    return add_name(&to->hosts, value, error);
}

static bool take_origin(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    return add_name(&to->origins, value, error);
}

static bool take_workers(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    to->has_workers = true;
    return read_number(value, strlen(value), MOST_WORKERS, &to->workers) ||
           refuse(error, "it is a number up to 1024");
}

static bool take_level(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    static const char *const names[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            to->level = (mcpw_log_level)(MCPW_LOG_DEBUG + i);
            return true;
        }
    }
    return refuse(error, "it is debug, info, notice, warning, error, critical, alert or emergency");
}

static bool take_format(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    static const char *const names[] = {"text", "json", "off"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            to->format = (mcpw_diagnostics_format)i;
            to->has_format = true;
            return true;
        }
    }
    return refuse(error, "it is text, json or off");
}

static bool take_help(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    (void)value;
    (void)error;
    to->wants_help = true;
    return true;
}

static bool take_version(mcpw_serve_arguments *to, const char *value, mcpw_error *error) {
    (void)value;
    (void)error;
    to->wants_version = true;
    return true;
}

static const argument arguments[] = {
    {"--http", "[ADDRESS:]PORT", "serve over HTTP; port 0: any that is free; default address 127.0.0.1",
     false, take_http},
    {"--path", "PATH", "path of the server; default /mcp", true, take_path},
    {"--tls-cert", "FILE", "serve with TLS, by this certificate (PEM)", true, take_cert},
    {"--tls-key", "FILE", "the key of the certificate (PEM)", true, take_key},
    {"--bearer-file", "FILE", "admit only clients with a token of this file", true, take_bearer},
    {"--allow-host", "HOST", "serve requests for this host, too; \"*\": for any", true, take_host},
    {"--allow-origin", "ORIGIN", "serve web pages of this origin; \"*\": of any", true, take_origin},
    {"--workers", "N", "run handlers on N threads; default 0: one after the other", false, take_workers},
    {"--log-level", "LEVEL", "write diagnostics from this level on; default notice", false, take_level},
    {"--log-format", "FORMAT", "write diagnostics as text, json, or not at all (off)", false, take_format},
    {"--help", NULL, "print this and exit", false, take_help},
    {"--version", NULL, "print the version and exit", false, take_version},
};

void mcpw_serve_arguments_print(const char *name, const char *usage) {
    (void)printf("Usage: %s [OPTION]...\n"
                 "Serves the Model Context Protocol on standard input and output, or over HTTP.\n\n",
                 name);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        const argument *const a = arguments + i;
        const int used =
            printf("  %s%s%s", a->name, a->value != NULL ? " " : "", a->value != NULL ? a->value : "");
        (void)printf("%*s  %s\n", used < COLUMN ? COLUMN - used : 0, "", a->help);
    }
    if (usage != NULL) {
        (void)printf("\n%s%s", usage, usage[0] != '\0' && usage[strlen(usage) - 1] == '\n' ? "" : "\n");
    }
}

/* Finds the argument of "--name" or "--name=value"; NULL: there is none. */
static const argument *find(const char *text, size_t len) {
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (strlen(arguments[i].name) == len && memcmp(arguments[i].name, text, len) == 0) {
            return arguments + i;
        }
    }
    return NULL;
}

static mcpw_status complain(mcpw_error *error, const char *text, const char *why) {
    char shown[MCPW_EXCERPT_SIZE];
    return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: %s", mcpw_excerpt(shown, text, strlen(text)), why);
}

/* Takes the argument at *at, and its value if that is the next argument. */
static mcpw_status take_one(mcpw_serve_arguments *to, int argc, char **argv, int *at, bool ignore_unknown,
                            mcpw_error *error) {
    const char *const text = argv[*at];
    const char *const equals = strncmp(text, "--", 2) == 0 ? strchr(text, '=') : NULL;
    const argument *const a = find(text, equals != NULL ? (size_t)(equals - text) : strlen(text));
    const char *value = equals != NULL ? equals + 1 : NULL;
    mcpw_error why;
    if (a == NULL) {
        return ignore_unknown ? MCPW_OK
                              : complain(error, text, "unknown argument; --help lists the known ones");
    }
    if (a->value == NULL && value != NULL) {
        return complain(error, a->name, "it has no value");
    }
    if (a->value != NULL && value == NULL && *at + 1 < argc) {
        value = argv[++*at];
    }
    if (a->value != NULL && value == NULL) {
        return complain(error, a->name, "its value is missing");
    }
    if (!a->take(to, value, &why)) {
        return complain(error, a->name, why.message);
    }
    to->http_only = a->is_of_http ? a->name : to->http_only;
    return MCPW_OK;
}

mcpw_status mcpw_serve_arguments_read(mcpw_serve_arguments *to, int argc, char **argv, bool ignore_unknown,
                                      mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    memset(to, 0, sizeof *to);
    to->hosts = to->origins = (mcpw_buffer)MCPW_BUFFER_INIT;
    for (int i = 1;
         argv != NULL && i < argc && argv[i] != NULL && strcmp(argv[i], "--") != 0 && status == MCPW_OK;
         i++) {
        status = take_one(to, argc, argv, &i, ignore_unknown, error);
    }
    if (status == MCPW_OK && (to->tls_cert == NULL) != (to->tls_key == NULL)) {
        return complain(error, to->tls_cert != NULL ? "--tls-cert" : "--tls-key",
                        "a certificate needs its key, and a key its certificate");
    }
    return status;
}

void mcpw_serve_arguments_free(mcpw_serve_arguments *to) {
    mcpw_buffer_free(&to->hosts);
    mcpw_buffer_free(&to->origins);
}
