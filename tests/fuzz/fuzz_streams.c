/* SPDX-License-Identifier: MIT */
/*
 * Sessions as a transport with many streams has them: whole messages go in with a context and come out with
 * the one that they belong to. Whatever comes, and whatever the program does meanwhile, each message that a
 * session says is one of its revision, and each context that was given comes back exactly once, or never
 * again when it was abandoned.
 *
 * The header says the revision of the handlers, the mode (the definition), flags, a seed, how many messages
 * are taken at once, and the revisions spoken. The text is messages, one a line, for the session that is
 * chosen; a line that begins with ! is what the program does next: a letter and two bytes (see operate). In
 * the first mode several sessions share the endpoint of one server. In the other two a server's side and a
 * client's pass on to each other what their peers ask: the lines are for the first, and behind the second
 * stands a server that answers.
 */
#include "side.h"

#include <mcpw/detail/catalogue.h>

enum { MODE_SHARED, MODE_RELAY, MODES };
enum { MOST_SIDES = 3, ROUNDS = 40, STEP = 100, DEFAULT_TAKEN = 1000 };

/* For a relay. */
enum { FRONT, BACK, BEHIND };

typedef struct play {
    side sides[MOST_SIDES];
    unsigned mode;
    unsigned chosen;
    unsigned taken; /* messages at once */
} play;

static bool take_once(play *p) {
    side *const s = p->sides;
    if (p->mode == MODE_RELAY) {
        const bool forth = side_take(s + BACK, s + BEHIND, p->taken);
        const bool back = side_take(s + BEHIND, s + BACK, p->taken);
        return side_take(s + FRONT, NULL, p->taken) || forth || back;
    }
    bool any = false;
    for (int i = 0; i < MOST_SIDES; i++) {
        any = side_take(s + i, NULL, p->taken) || any;
    }
    return any;
}

static void settle(play *p) {
    for (int i = 0; i < ROUNDS && take_once(p); i++) {
    }
}

static void operate(play *p, char letter, unsigned number, unsigned n) {
    side *const s = p->sides + p->chosen;
    switch (letter) {
    case 'a':
        for (int i = 0; i < MOST_SIDES; i++) {
            side_advance(p->sides + i, number * STEP);
        }
        break;
    case 'n':
        p->chosen = number % MOST_SIDES;
        break;
    case 'b':
        side_abandon(s, number);
        break;
    case 'o':
        (void)take_once(p);
        break;
    default: /* q: a request or notification */
        if (!side_operate(s, letter, number)) {
            side_request(s, (int)(number % ((unsigned)mcpw_method_count(s->revision) + 2U)), n);
        }
        break;
    }
}

/* The messages for the chosen end; an end with a peer gets only that peer's. */
static void say(play *p, const char *text, size_t len) {
    side *const s = p->sides + (p->mode == MODE_RELAY ? FRONT : p->chosen);
    side_expect(s, text, len);
    side_receive(s, text, len);
}

static void run(play *p, const char *text, size_t len) {
    while (len != 0) {
        const char *const end = memchr(text, '\n', len);
        const size_t n = end != NULL ? (size_t)(end - text) : len;
        if (n > 1 && text[0] == '!') {
            operate(p, text[1], n > 2 ? (unsigned char)text[2] : 0, n > 3 ? (unsigned char)text[3] : 0);
        } else {
            say(p, text, n);
        }
        if (p->taken == DEFAULT_TAKEN) {
            settle(p);
        } else {
            (void)take_once(p);
        }
        text += n + (end != NULL);
        len -= n + (end != NULL);
    }
    settle(p);
}

static const char *spoken(size_t choice) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    choice %= count + 1;
    return choice == 0 ? NULL : mcpw_revision_name(revisions[choice - 1]);
}

static void start_shared(play *p, const side_config *first) {
    side_config others = *first;
    others.beside = p->sides;
    side_start(p->sides, first);
    for (int i = 1; i < MOST_SIDES; i++) {
        side_start(p->sides + i, &others);
    }
}

static void start_relay(play *p, const side_config *front, const char *behind) {
    side_config back = *front;
    side_config server = *front;
    back.role = MCPW_ROLE_CLIENT;
    back.revisions = server.revisions = behind;
    server.relays = false;
    side_start(p->sides + FRONT, front);
    side_start(p->sides + BACK, &back);
    side_start(p->sides + BEHIND, &server);
    p->sides[FRONT].relay_to = p->sides + BACK;
    p->sides[BACK].relay_to = p->sides + FRONT;
    FUZZ_SAME(mcpw_session_open(p->sides[BACK].session), MCPW_OK, "open");
    settle(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { OUTPUTS = 3 };
    static const size_t most_output[OUTPUTS] = {0, 1, 300};
    const fuzz_header h = fuzz_read_header(data, size);
    size_t count = 0;
    (void)mcpw_revisions(&count);
    static play p;
    memset(&p, 0, sizeof p);
    p.mode = h.definition % MODES;
    p.taken = h.extra[1] != 0 ? h.extra[1] : DEFAULT_TAKEN;
    const side_config config = {.role = MCPW_ROLE_SERVER,
                                .revision = h.revision,
                                .revisions = spoken(h.extra[2]),
                                .flags = h.options.flags & (MCPW_STRICT | MCPW_NULL_IS_ABSENT),
                                .seed = h.extra[0],
                                .max_output = most_output[h.definition / MODES % OUTPUTS],
                                .whole = true,
                                .relays = p.mode == MODE_RELAY};
    if (p.mode == MODE_RELAY) {
        start_relay(&p, &config, spoken(h.extra[2] / (count + 1)));
    } else {
        start_shared(&p, &config);
    }
    run(&p, h.text, h.len);
    for (int i = MOST_SIDES; i-- > 0;) { /* the others share what belongs to the first */
        side_end(p.sides + i);
    }
    return 0;
}
