/* SPDX-License-Identifier: MIT */
/* The bounded memory by which a page of the command links messages. */
#include "trace_links.h"

#include "check.h"

#include <stdio.h>

enum { KEY_SIZE = 24, GENERATIONS = 5 };

static link_key key_of(char text[KEY_SIZE], link_kind kind, unsigned number) {
    const int len = snprintf(text, KEY_SIZE, "%u", number);
    return (link_key){kind, 0, 0, {text, (size_t)len}};
}

static void add(links *l, unsigned number) {
    char text[KEY_SIZE];
    const link_key key = key_of(text, LINK_REQUEST, number);
    links_add(l, &key, number + 1U, 0);
}

static uint64_t found(links *l, link_kind kind, unsigned number) {
    char text[KEY_SIZE];
    const link_key key = key_of(text, kind, number);
    const trace_link *const one = links_find(l, &key);
    return one != NULL ? one->entry : 0;
}

static void the_newest_of_a_key_is_found(void) {
    links l;
    links_init(&l);
    CHECK(found(&l, LINK_REQUEST, 1) == 0);
    add(&l, 1);
    char text[KEY_SIZE];
    const link_key key = key_of(text, LINK_REQUEST, 1);
    links_add(&l, &key, 9, 3);
    CHECK(found(&l, LINK_REQUEST, 1) == 9 && found(&l, LINK_TOKEN, 1) == 0);
    links_free(&l);
}

/* Each place of the ring has been in several chains by then. */
static void only_the_newest_are_remembered(void) {
    const unsigned count = (unsigned)MOST_LINKS * GENERATIONS;
    links l;
    links_init(&l);
    for (unsigned i = 0; i < count; i++) {
        add(&l, i);
    }
    for (unsigned i = 0; i < count; i++) {
        CHECK(found(&l, LINK_REQUEST, i) == (i < count - MOST_LINKS ? 0 : i + 1U));
    }
    size_t chained = 0;
    for (unsigned i = 0; i < MOST_LINKS; i++) {
        for (uint32_t at = l.buckets[i]; at != 0 && chained <= MOST_LINKS; at = l.table[at - 1].next) {
            chained++;
        }
    }
    CHECK(chained == MOST_LINKS);
    links_free(&l);
}

int main(void) {
    RUN(the_newest_of_a_key_is_found);
    RUN(only_the_newest_are_remembered);
    return check_end();
}
