/* SPDX-License-Identifier: MIT */
/*
 * Sessions: whatever bytes come, in whatever pieces, and whatever the program does meanwhile, each line that
 * a session writes is a message of its revision, and each request of its own is answered once.
 *
 * The header says the revision of the handlers, the mode (the definition), flags, a seed, how bytes are cut,
 * and the revisions spoken. The text is lines for the session; a line that begins with ! is what the program
 * does next: a letter and two bytes (see operate). In the modes with two ends a client talks with a server,
 * and bytes on the way are changed or not.
 */
#include "side.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/frame.h>

enum { MODE_SERVER, MODE_CLIENT, MODE_PAIR, MODE_NOISY_PAIR, MODES };
enum { ROUNDS = 40, STEP_SMALL = 100, NOISE = 256 };

typedef struct play {
    side a; /* the one that the text is for: the client of a pair */
    side b;
    unsigned mode;
    unsigned seed;
    unsigned largest; /* piece; 0: all at once */
} play;

static unsigned draw(play *p) {
    p->seed = p->seed * 1103515245U + 12345U;
    return p->seed >> 16;
}

/* In pieces of exactly their size. */
static void feed(play *p, side *to, const char *text, size_t len) {
    side_overhear(to, text, len);
    while (len != 0) {
        size_t piece = p->largest == 0 ? len : 1 + draw(p) % p->largest;
        piece = piece < len ? piece : len;
        char *const copy = fuzz_copy(text, piece);
        const mcpw_status status = mcpw_session_feed(to->session, copy, piece);
        free(copy);
        FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_CLOSED);
        FUZZ_ASSERT(status != MCPW_E_CLOSED || mcpw_session_is_closed(to->session));
        text += piece;
        len -= piece;
    }
}

/* Takes what an end has written, some of it at a time. */
static bool carry(play *p, side *from, side *to) {
    const mcpw_str out = side_output(from);
    if (out.len == 0) {
        return false;
    }
    const size_t part = p->largest == 0 ? out.len : 1 + draw(p) % out.len;
    char *const copy = fuzz_copy(out.ptr, part);
    side_sent(from, part);
    if (to != NULL) {
        for (size_t i = 0; p->mode == MODE_NOISY_PAIR && i < part; i++) {
            copy[i] = (char)(draw(p) % NOISE == 0 ? draw(p) : (unsigned char)copy[i]);
        }
        feed(p, to, copy, part);
    }
    free(copy);
    return true;
}

static void settle(play *p) {
    const bool two = p->mode >= MODE_PAIR;
    for (int i = 0; i < ROUNDS; i++) {
        const bool out = carry(p, &p->a, two ? &p->b : NULL);
        if (!(two && carry(p, &p->b, &p->a)) && !out) {
            return;
        }
    }
}

static void retry(play *p, unsigned at) {
    enum { ROOM = 2048 };
    char room[ROOM];
    const size_t len = side_retry(&p->a, at, room, sizeof room);
    if (p->mode == MODE_SERVER && len < sizeof room) {
        feed(p, &p->a, room, len);
    }
    p->a.forged = false;
}

static void operate(play *p, char letter, unsigned number, unsigned n) {
    side *const s = p->mode >= MODE_PAIR && (letter & 0x20) == 0 ? &p->b : &p->a; /* upper case: the server */
    switch (letter | 0x20) {
    case 'a':
        side_advance(&p->a, number * STEP_SMALL);
        side_advance(&p->b, number * STEP_SMALL);
        break;
    case 'o':
        (void)carry(p, &p->a, p->mode >= MODE_PAIR ? &p->b : NULL);
        break;
    case 's':
        retry(p, number);
        break;
    default: /* q: a request or notification */
        if (!side_operate(s, letter | 0x20, number)) {
            side_request(s, (int)(number % ((unsigned)mcpw_method_count(s->revision) + 2U)), n);
        }
        break;
    }
}

static void run(play *p, const char *text, size_t len) {
    while (len != 0) {
        const char *const end = memchr(text, '\n', len);
        const size_t n = end != NULL ? (size_t)(end + 1 - text) : len;
        if (text[0] == '!' && n > 1) {
            operate(p, text[1], n > 2 ? (unsigned char)text[2] : 0, n > 3 ? (unsigned char)text[3] : 0);
        } else if (p->mode != MODE_PAIR) {
            feed(p, &p->a, text, n);
        }
        if (p->largest == 0 || draw(p) % 4 != 0) {
            settle(p);
        } else {
            (void)side_output(&p->a);
        }
        text += n;
        len -= n;
    }
    settle(p);
}

/* The revisions of an end: everything, one revision, or two of one era and of both. */
static const char *const several[] = {NULL, "2025-06-18 2026-07-28", "2024-11-05 2025-03-26"};
enum { SEVERAL = sizeof several / sizeof several[0], OUTPUTS = 4 };

static size_t choices(void) {
    size_t count = 0;
    (void)mcpw_revisions(&count);
    return count + SEVERAL;
}

static const char *spoken(size_t choice) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    if (choice == 0) {
        return several[0];
    }
    return choice <= count ? mcpw_revision_name(revisions[choice - 1]) : several[choice - count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const size_t most_output[OUTPUTS] = {0, 1, 300,
                                                3000}; /* input waits while more than that is unread */
    const fuzz_header h = fuzz_read_header(data, size);
    const size_t n = choices();
    play p;
    memset(&p, 0, sizeof p);
    p.mode = h.definition % MODES;
    p.seed = h.extra[0];
    p.largest = h.extra[1];
    const side_config a = {.role = p.mode == MODE_SERVER ? MCPW_ROLE_SERVER : MCPW_ROLE_CLIENT,
                           .revision = h.revision,
                           .revisions = spoken(h.extra[2] % n),
                           .flags = h.options.flags & (MCPW_STRICT | MCPW_NULL_IS_ABSENT),
                           .seed = h.extra[0],
                           .max_output = most_output[h.extra[2] / (n * n) % OUTPUTS]};
    side_config b = a;
    side_start(&p.a, &a);
    if (p.mode >= MODE_PAIR) {
        b.role = MCPW_ROLE_SERVER;
        b.revisions = spoken(h.extra[2] / n % n);
        side_start(&p.b, &b);
    }
    if (a.role == MCPW_ROLE_CLIENT) {
        FUZZ_SAME(mcpw_session_open(p.a.session), MCPW_OK, "open");
        settle(&p);
    }
    run(&p, h.text, h.len);
    /* Under MCPW_STRICT the methods that one end lacks are no messages. */
    FUZZ_ASSERT(p.mode != MODE_PAIR || (a.flags & MCPW_STRICT) != 0 || p.a.cut || p.b.cut ||
                (p.a.bad_diagnostics == 0 && p.b.bad_diagnostics == 0));
    side_end(&p.a);
    if (p.mode >= MODE_PAIR) {
        side_end(&p.b);
    }
    return 0;
}
