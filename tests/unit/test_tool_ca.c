/* SPDX-License-Identifier: MIT */
/* A static command trusts the certificates of an option, of OpenSSL's variable, or of the system. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include "ca.h"

#include <stdlib.h>

static void the_option_comes_first(void) {
    CHECK(setenv("SSL_CERT_FILE", "/named.pem", 1) == 0);
    CHECK_STRING(ca_file_of("/given.pem"), "/given.pem");
}

static void the_variable_comes_before_the_system(void) {
    CHECK(setenv("SSL_CERT_FILE", "/named.pem", 1) == 0);
    CHECK_STRING(ca_file_of(NULL), "/named.pem");
}

static void an_empty_variable_is_none(void) {
    CHECK(setenv("SSL_CERT_FILE", "", 1) == 0);
    const char *const found = ca_file_of(NULL);
    CHECK(found == NULL || strncmp(found, "/etc/", strlen("/etc/")) == 0);
}

int main(void) {
    RUN(the_option_comes_first);
    RUN(the_variable_comes_before_the_system);
    RUN(an_empty_variable_is_none);
    return check_end();
}
