/* SPDX-License-Identifier: MIT */
/*
 * The least that a stdio server has to do: it reads what there is, finds the id of each line and nothing
 * else, and writes one answer with a fixed text for each, all answers to one read in one write.
 */
#define _GNU_SOURCE /* memmem */
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 16, ANSWER_ROOM = 256, LEAST_LINE = 8, MOST_ID = 32 };

static const char id_key[] = "\"id\":";
static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
static const char tail[] = ",\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\","
                           "\"text\":\"message number 1000000\"}]}}\n";

/* Its answer to a line at out; returns its end. A line without an id gets none. */
static char *answer(char *out, const char *line, size_t len) {
    const char *id = memmem(line, len, id_key, sizeof id_key - 1);
    if (id == NULL) {
        return out;
    }
    id += sizeof id_key - 1;
    const size_t id_len = strcspn(id, ",}");
    memcpy(out, head, sizeof head - 1);
    out += sizeof head - 1;
    memcpy(out, id, id_len < MOST_ID ? id_len : MOST_ID);
    out += id_len < MOST_ID ? id_len : MOST_ID;
    memcpy(out, tail, sizeof tail - 1);
    return out + (sizeof tail - 1);
}

static int write_all(const char *bytes, size_t len) {
    while (len != 0) {
        const ssize_t wrote = write(STDOUT_FILENO, bytes, len);
        if (wrote <= 0) {
            return 0;
        }
        bytes += wrote;
        len -= (size_t)wrote;
    }
    return 1;
}

int main(void) {
    static char in[ROOM + 1]; /* a NUL after the last line */
    static char out[ROOM / LEAST_LINE * ANSWER_ROOM];
    size_t kept = 0;
    ssize_t got;
    while ((got = read(STDIN_FILENO, in + kept, ROOM - kept)) > 0) {
        const char *line = in;
        const char *const end = in + kept + (size_t)got;
        const char *newline;
        char *at = out;
        while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
            at = answer(at, line, (size_t)(newline - line));
            line = newline + 1;
        }
        if (!write_all(out, (size_t)(at - out))) {
            return 1;
        }
        kept = (size_t)(end - line);
        memmove(in, line, kept);
    }
    return 0;
}
