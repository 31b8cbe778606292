/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "terminal.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

enum { PERCENT = 100, MIB_SHIFT = 20 };

/* Inputs below STEP bytes end before anyone can read a line. */
#define STEP ((uint64_t)8 << MIB_SHIFT)

void progress_init(progress *p, bool quiet) {
    p->terminal = !quiet && terminal_obeys(TERMINAL_ERROR) ? stderr : NULL;
    p->visible = false;
    progress_restart(p);
}

void progress_restart(progress *p) { p->next = STEP; }

void progress_update(progress *p, const input *in) {
    if (p->terminal == NULL || in->bytes < p->next) {
        return;
    }
    p->next = in->bytes + STEP;
    p->visible = true;
    text name = TEXT_INIT;
    text_safe(&name, in->name, strlen(in->name));
    text_bytes(&name, "", 1);
    (void)fprintf(p->terminal, "\r\033[Kmcpwire: %s: %" PRIu64 " MiB", name.lost ? "" : name.buffer.data,
                  in->bytes >> MIB_SHIFT);
    text_free(&name);
    if (in->size != 0 && in->bytes <= in->size) {
        (void)fprintf(p->terminal, " of %" PRIu64 " (%u %%)", in->size >> MIB_SHIFT,
                      (unsigned)((double)in->bytes / (double)in->size * (double)PERCENT));
    }
    (void)fflush(p->terminal);
}

void progress_hide(progress *p) {
    if (p->visible) {
        (void)fputs("\r\033[K", p->terminal);
        (void)fflush(p->terminal);
        p->visible = false;
    }
}
