/* SPDX-License-Identifier: MIT */
/* Systems keep the certificates that they trust in one of a few places. OpenSSL's variable names another
 * file. */
#include "ca.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const places[] = {
    "/etc/ssl/certs/ca-certificates.crt", /* Debian, Alpine, Arch, Gentoo */
    "/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, Red Hat */
    "/etc/ssl/ca-bundle.pem",             /* SUSE */
    "/etc/ssl/cert.pem",                  /* Alpine, the BSDs */
};

const char *ca_file_of(const char *given) {
    const char *const named = getenv("SSL_CERT_FILE");
    if (given != NULL || (named != NULL && *named != '\0')) {
        return given != NULL ? given : named;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (access(places[i], R_OK) == 0) {
            return places[i];
        }
    }
    return NULL;
}
