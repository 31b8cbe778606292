/* SPDX-License-Identifier: MIT */
/*
 * A login as a state machine. Each state has an action, which returns the next step, and a receiver of the
 * response to its request. Neither calls another state: it sets `state`, and machine.c runs that state. So
 * the files depend on each other in one direction: pass, machine -> discover, client, authorize, token,
 * revoke -> proof, records, documents -> core -> words, url.
 *
 *     RESOURCE -> SERVER -> CLIENT -> LOCK -> REFRESH ---------------> DONE
 *                             | \                                        ^
 *                             |  REGISTER -> AUTHORIZE -> USER -> EXCHANGE
 *                             |
 *                             +-> PROVIDER -> GRANT ---------------------^
 *
 * A logout takes the way SERVER -> CLIENT -> REVOKE -> DONE.
 */
#ifndef MCPW_OAUTH_INTERNAL_H
#define MCPW_OAUTH_INTERNAL_H

#include <mcpw/oauth.h>

#include <mcpw_oauth_json.h>

#include "url.h"
#include "words.h"

typedef enum mcpw_oauth_state {
    MCPW_OAUTH_IDLE,      /* no login is under way */
    MCPW_OAUTH_RESOURCE,  /* requests the metadata of the resource */
    MCPW_OAUTH_SERVER,    /* requests the metadata of the authorization server */
    MCPW_OAUTH_CLIENT,    /* chooses the client, and how it gets a token */
    MCPW_OAUTH_REGISTER,  /* registers a client */
    MCPW_OAUTH_LOCK,      /* takes the lock of the stored token */
    MCPW_OAUTH_REFRESH,   /* renews the token */
    MCPW_OAUTH_AUTHORIZE, /* sends the user to the authorization server */
    MCPW_OAUTH_USER,      /* waits for the redirect */
    MCPW_OAUTH_EXCHANGE,  /* exchanges the code */
    MCPW_OAUTH_PROVIDER,  /* asks the identity provider */
    MCPW_OAUTH_GRANT,     /* requests a token without a user */
    MCPW_OAUTH_REVOKE,    /* asks the authorization server to revoke the tokens of a logout */
    MCPW_OAUTH_FINISHED,  /* the token is there */
    MCPW_OAUTH_BROKEN     /* the login has failed */
} mcpw_oauth_state;

/* A client at one issuer. */
typedef struct mcpw_oauth_client {
    mcpw_str id;     /* absent: none was chosen */
    mcpw_str secret; /* absent: none */
    mcpw_oauth_method method;
    bool is_registered; /* by us, so that it may be registered again */
} mcpw_oauth_client;

enum {
    MCPW_OAUTH_MOST_NONCES = 4,   /* origins whose nonces are kept */
    MCPW_OAUTH_NONCE_SIZE = 257,  /* of a nonce, its NUL included */
    MCPW_OAUTH_ORIGIN_SIZE = 300, /* of an origin, likewise */
    MCPW_OAUTH_ORDER_FIELDS = 4
};

/* The newest nonce of an origin. */
typedef struct mcpw_oauth_nonce {
    char origin[MCPW_OAUTH_ORIGIN_SIZE];
    char nonce[MCPW_OAUTH_NONCE_SIZE];
} mcpw_oauth_nonce;

/* An HTTP response during a login. */
typedef struct mcpw_oauth_http_response {
    int status;
    mcpw_str location;
    mcpw_str nonce; /* DPoP-Nonce */
    mcpw_str body;
} mcpw_oauth_http_response;

struct mcpw_oauth {
    mcpw_oauth_config config; /* its texts lie in `fixed` */
    mcpw_oauth_signer signer; /* copies of those of the config */
    mcpw_oauth_signer dpop;
    mcpw_oauth_store store;
    mcpw_oauth_store *own_store; /* in memory, if the config has none, or it has failed */
    mcpw_allocator outer;        /* of the program; arenas use one that wipes */
    mcpw_arena fixed;            /* as long as the object */
    mcpw_arena held;             /* the token */
    mcpw_arena flow;             /* a login */
    mcpw_arena scratch;          /* one call */
    mcpw_arena ordered;          /* the last order */
    mcpw_arena shown;            /* the last fields */
    mcpw_arena held_scopes;      /* `asked` */
    mcpw_oauth_url server;
    mcpw_str key_digest; /* of the public key of dpop; absent: none */
    uint64_t now;        /* 0: not set */

    mcpw_oauth_state state;
    mcpw_error error;
    uint64_t deadline; /* of the login, or of the user */
    uint64_t retry_at; /* of the lock */
    unsigned attempts; /* logins since the MCP server accepted a token */
    uint64_t began_at; /* when the last of them began */

    /* The reason for the login. */
    mcpw_str named_metadata; /* resource_metadata of the challenge */
    mcpw_str wanted_scopes;  /* of the challenge */

    /* The results of discovery. Nothing here came from another issuer than `issuer`. */
    mcpw_str moved_to; /* the target of a redirect of metadata; absent: none */
    unsigned hops;
    unsigned candidate; /* index of the well-known URL in use */
    mcpw_oauth_json_resource resource;
    mcpw_oauth_json_server metadata;
    mcpw_str issuer;
    mcpw_mark discovered; /* the end of them in `flow` */

    mcpw_oauth_client client;
    mcpw_str scopes;   /* requested */
    mcpw_str verifier; /* of PKCE */
    mcpw_str expected; /* `state` of the redirect */
    mcpw_str code;
    mcpw_str assertion; /* of the identity provider */
    mcpw_str lock;      /* the key whose lock is held; absent: none */

    /* A logout. Its tokens are forgotten already. */
    mcpw_str revoked_client;  /* that got them */
    mcpw_str revoked_refresh; /* absent: none, or it is revoked */
    mcpw_str revoked_access;  /* likewise */

    mcpw_oauth_json_stored_token token; /* in `held`; without issuer: none */
    uint64_t token_number;              /* grows with each token */
    mcpw_str asked;                     /* scopes requested or granted until now */
    mcpw_oauth_nonce nonces[MCPW_OAUTH_MOST_NONCES];
    unsigned next_nonce; /* the one that is replaced next */

    mcpw_http_field fields[MCPW_OAUTH_ORDER_FIELDS]; /* of the order */
    size_t field_count;

    /* Flags of a login. */
    bool is_waiting;    /* for a response, or the user */
    bool is_step_up;    /* the token lacks scopes */
    bool is_refused;    /* the token was refused */
    bool is_own_server; /* no metadata of the resource: the MCP server issues its tokens */
    bool has_metadata;  /* issuer and metadata are validated */
    bool has_repeated;  /* the request was repeated with a nonce */
    bool is_recalled;   /* the store was read */
    bool is_leaving;    /* a logout: no token is requested */
    bool has_revoked;   /* its refresh token */
};

/* ---- core.c -------------------------------------------------------------------------------------------- */

/* Memory that is wiped before it is freed, from the program's allocator, which `user` points to. */
void *mcpw_oauth_wiping(void *user, void *ptr, size_t old_size, size_t new_size);

enum { MCPW_OAUTH_WORDS_SIZE = 96 /* of a foreign text in a message */ };

/* A foreign text in a form for messages; empty if it is absent, or repeats a secret of this login. */
const char *mcpw_oauth_foreign(const mcpw_oauth *oauth, char out[MCPW_OAUTH_WORDS_SIZE], mcpw_str text);
/* Ends the login. The message names the fault, the document or member that has it, and a remedy. */
void mcpw_oauth_fail(mcpw_oauth *oauth, mcpw_status status, const char *format, ...) MCPW_PRINTF(3, 4);
/* Ends it because memory ran out. */
void mcpw_oauth_fail_memory(mcpw_oauth *oauth);
/* Reports a failure that does not end the login. */
void mcpw_oauth_warn(const mcpw_oauth *oauth, const char *words);
/* Sets the state, for the first request of it. */
void mcpw_oauth_go(mcpw_oauth *oauth, mcpw_oauth_state state);
/* A copy of a text in an arena; absent stays absent. False: no memory. */
MCPW_NODISCARD bool mcpw_oauth_keep(mcpw_arena *arena, mcpw_str text, mcpw_str *out);
/* Releases the lock if it is held. */
void mcpw_oauth_release(mcpw_oauth *oauth);
/* Whether a URL of a document may be requested. Else the login has failed. */
MCPW_NODISCARD bool mcpw_oauth_may_ask(mcpw_oauth *oauth, mcpw_str text, const char *document,
                                       const char *member);
/* Adds a field to the order. */
void mcpw_oauth_add_field(mcpw_oauth *oauth, const char *name, mcpw_str value);

#endif
