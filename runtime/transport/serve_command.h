/* SPDX-License-Identifier: MIT */
/* Functions that the files of mcpwire::serve share. */
#ifndef MCPW_SERVE_COMMAND_H
#define MCPW_SERVE_COMMAND_H

#include <mcpw/serve.h>

#include "os.h"
#include "serve_diagnostics.h"

/* ---- serve_arguments.c ---- */

enum { MCPW_SERVE_ADDRESS_SIZE = 64 };

/* The arguments of the program. The texts point into argv. */
typedef struct mcpw_serve_arguments {
    bool wants_help;
    bool wants_version;
    bool over_http;
    bool has_workers;
    bool has_format;
    unsigned workers;
    char address[MCPW_SERVE_ADDRESS_SIZE]; /* empty: not given */
    uint16_t port;
    const char *path;
    const char *tls_cert;
    const char *tls_key;
    const char *bearer_file;
    mcpw_buffer hosts;     /* space-separated, NUL-terminated; without data: none */
    mcpw_buffer origins;   /* likewise */
    const char *http_only; /* an argument that needs HTTP; NULL: none was given */
    mcpw_log_level level;  /* 0: not given */
    mcpw_diagnostics_format format;
} mcpw_serve_arguments;

/* Reads the arguments. mcpw_serve_arguments_free frees the result, also after a failure. */
MCPW_NODISCARD mcpw_status mcpw_serve_arguments_read(mcpw_serve_arguments *arguments, int argc, char **argv,
                                                     bool ignore_unknown, mcpw_error *error);
void mcpw_serve_arguments_free(mcpw_serve_arguments *arguments);
/* Prints the help text. */
void mcpw_serve_arguments_print(const char *name, const char *usage);

/* ---- serve_stdio.c, and serve_http.c or serve_http_none.c ---- */

/* The settings of the server. */
typedef struct mcpw_serve_plan {
    mcpw_server *server;
    const mcpw_serve_arguments *arguments;
    const mcpw_run_options *options;
    const mcpw_diagnostics_options *diagnostics; /* with the level and format of the arguments */
} mcpw_serve_plan;

/* The number of worker threads; `given` is the value in the transport's options. */
static inline unsigned mcpw_serve_plan_workers(const mcpw_serve_plan *plan, unsigned given) {
    return plan->arguments->has_workers ? plan->arguments->workers
           : given != 0                 ? given
                                        : plan->options->workers;
}

MCPW_NODISCARD mcpw_status mcpw_serve_plan_stdio(const mcpw_serve_plan *plan, mcpw_error *error);
/* Serves HTTP. socket: a listening one; -1: none. */
MCPW_NODISCARD mcpw_status mcpw_serve_plan_http(const mcpw_serve_plan *plan, int socket, mcpw_error *error);
/* The listening socket that this process inherited; -1: none. */
int mcpw_serve_given_socket(void);

/* ---- serve_tokens.c ---- */

typedef struct mcpw_serve_tokens mcpw_serve_tokens;

/* Reads a file of tokens; NULL: error explains why. */
MCPW_NODISCARD mcpw_serve_tokens *mcpw_serve_tokens_read(const char *file, mcpw_error *error);
void mcpw_serve_tokens_free(mcpw_serve_tokens *tokens);
/* The principal of a token. If the token is unknown, *known is false and the text absent. */
mcpw_str mcpw_serve_tokens_find(const mcpw_serve_tokens *tokens, mcpw_str token, bool *known);

/* ---- serve_files.c ---- */

/* The text of a file, NUL-terminated, which mcpw_serve_file_free frees; NULL: error explains why. */
MCPW_NODISCARD char *mcpw_serve_file_read(const char *file, mcpw_error *error);
/* Overwrites the text before freeing it, since it may be a secret. Does nothing for NULL. */
void mcpw_serve_file_free(char *text);

#endif
