/* SPDX-License-Identifier: MIT */
/* A transfer that advances only while it is read, so that it buffers no more than one portion. */
#include "input_url.h"

#include "ca.h"

#include <curl/curl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_MS = 30000,
    SILENCE_S = 60 /* seconds without a byte, after which the transfer is given up */,
    WAIT_MS = 1000,
    OK = 200,
    NOT_OK = 300
};

struct url_reader {
    CURL *easy;
    CURLM *multi;
    char portion[CURL_MAX_WRITE_SIZE];
    size_t begin; /* portion[begin .. end) was received and not passed on yet */
    size_t end;
    bool is_paused; /* more was received than the portion has room for */
    bool is_done;
    CURLcode result;
    char why[CURL_ERROR_SIZE];
};

bool url_is_one(const char *name) {
    return strncmp(name, "http://", strlen("http://")) == 0 ||
           strncmp(name, "https://", strlen("https://")) == 0;
}

static size_t on_bytes(char *bytes, size_t size, size_t count, void *self) {
    url_reader *const r = self;
    const size_t len = size * count;
    if (r->begin != r->end || len > sizeof r->portion) {
        r->is_paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    memcpy(r->portion, bytes, len);
    r->begin = 0;
    r->end = len;
    return len;
}

url_reader *url_open(const char *url, const char **why) {
    url_reader *const r = calloc(1, sizeof *r);
    *why = "out of memory";
    if (r == NULL) {
        return NULL;
    }
    r->easy = curl_easy_init();
    r->multi = curl_multi_init();
    if (r->easy == NULL || r->multi == NULL ||
        curl_easy_setopt(r->easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK ||
        curl_easy_setopt(r->easy, CURLOPT_URL, url) != CURLE_OK) {
        url_close(r);
        return NULL;
    }
    (void)curl_easy_setopt(r->easy, CURLOPT_WRITEFUNCTION, on_bytes);
    (void)curl_easy_setopt(r->easy, CURLOPT_WRITEDATA, r);
    (void)curl_easy_setopt(r->easy, CURLOPT_ERRORBUFFER, r->why);
    (void)curl_easy_setopt(r->easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(r->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    (void)curl_easy_setopt(r->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    (void)curl_easy_setopt(r->easy, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_S);
    const char *const trusted = ca_file_of(NULL);
    if (trusted != NULL) {
        (void)curl_easy_setopt(r->easy, CURLOPT_CAINFO, trusted);
    }
    if (curl_multi_add_handle(r->multi, r->easy) != CURLM_OK) {
        url_close(r);
        return NULL;
    }
    return r;
}

static void drive(url_reader *r) {
    int running = 0;
    int left = 0;
    const CURLMsg *said;
    if (r->is_paused) {
        r->is_paused = false;
        (void)curl_easy_pause(r->easy, CURLPAUSE_CONT);
    }
    if (curl_multi_perform(r->multi, &running) != CURLM_OK) {
        r->is_done = true;
        r->result = CURLE_FAILED_INIT;
    }
    while ((said = curl_multi_info_read(r->multi, &left)) != NULL) {
        if (said->msg == CURLMSG_DONE) {
            r->is_done = true;
            r->result = said->data.result;
        }
    }
    if (!r->is_done && r->begin == r->end) {
        (void)curl_multi_poll(r->multi, NULL, 0, WAIT_MS, NULL);
    }
}

/* The error in the status of the response, once it has arrived. */
static const char *look_at_status(url_reader *r) {
    long status = 0;
    (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    if (r->is_done && r->result != CURLE_OK) {
        return r->why[0] != '\0' ? r->why : curl_easy_strerror(r->result);
    }
    if (status < OK || status >= NOT_OK) {
        (void)snprintf(r->why, sizeof r->why, "the server answers %ld", status);
        return r->why;
    }
    return NULL;
}

const char *url_read(url_reader *reader, void *to, size_t len, size_t *got) {
    while (reader->begin == reader->end && !reader->is_done) {
        drive(reader);
    }
    const char *const wrong = look_at_status(reader);
    const size_t there = reader->end - reader->begin;
    *got = there < len ? there : len;
    if (wrong != NULL) {
        return wrong;
    }
    memcpy(to, reader->portion + reader->begin, *got);
    reader->begin += *got;
    return NULL;
}

void url_close(url_reader *reader) {
    if (reader == NULL) {
        return;
    }
    if (reader->multi != NULL && reader->easy != NULL) {
        (void)curl_multi_remove_handle(reader->multi, reader->easy);
    }
    curl_easy_cleanup(reader->easy);
    (void)curl_multi_cleanup(reader->multi);
    free(reader);
}
