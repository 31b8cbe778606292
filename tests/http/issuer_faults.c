/* SPDX-License-Identifier: MIT */
/* An issuer whose options cannot be copied because memory runs out is not made without them. */
#include <mcpw/oauth_issuer.h>

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* libcurl takes no allocator: its memory can be refused where malloc is glibc's, which tells its own name. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_FAIL 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#undef CAN_FAIL
#endif
#endif

#if defined(CAN_FAIL)
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);

static size_t calls;
static size_t
    fail_at; /* the number of the allocation that fails, and of the next: an arena tries twice; 0: none */

static bool fails(void) {
    calls++;
    return fail_at != 0 && (calls == fail_at || calls == fail_at + 1);
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *ptr, size_t size) { return fails() ? NULL : __libc_realloc(ptr, size); }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static void fail_each(const char *ca_file) {
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    mcpw_oauth_verifier_config verifier = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    enum { MOST = 1000 };
    dpop.algorithms = "ES256";
    verifier.issuer = "https://as.example.com";
    verifier.dpop = &dpop;
    options.verifier = &verifier;
    options.ca_file = ca_file;
    mcpw_oauth_issuer_free(mcpw_oauth_issuer_new(&options, NULL)); /* libraries keep what they need once */
    for (size_t i = 1; i < MOST; i++) {
        mcpw_error error = {.code = MCPW_OK};
        calls = 0;
        fail_at = i;
        mcpw_oauth_issuer *const issuer = mcpw_oauth_issuer_new(&options, &error);
        fail_at = 0;
        const bool has_failed = calls >= i;
        CHECK((issuer == NULL) == has_failed && (error.code != MCPW_OK) == has_failed);
        mcpw_oauth_issuer_free(issuer);
        if (!has_failed) {
            CHECK(i > 3);
            return;
        }
    }
    CHECK(false);
}

static void a_failed_allocation_makes_no_issuer(void) {
    fail_each("/etc/ssl/certs/own.pem");
    fail_each(NULL);
}

int main(void) {
    RUN(a_failed_allocation_makes_no_issuer);
    return check_end();
}
#else
int main(void) {
    enum { SKIPPED = 77 };
    printf("skipped: malloc is not glibc's own here\n");
    return SKIPPED;
}
#endif
