/* SPDX-License-Identifier: MIT */
#include "input_url.h"

#include <string.h>

bool url_is_one(const char *name) {
    return strncmp(name, "http://", strlen("http://")) == 0 ||
           strncmp(name, "https://", strlen("https://")) == 0;
}

url_reader *url_open(const char *url, const char **why) {
    (void)url;
    *why = "this mcpwire was built without libcurl";
    return NULL;
}

const char *url_read(url_reader *reader, void *to, size_t len, size_t *got) {
    (void)reader;
    (void)to;
    (void)len;
    *got = 0;
    return NULL;
}

void url_close(url_reader *reader) { (void)reader; }
