/* SPDX-License-Identifier: MIT */
/* Replaces progress.c where there is no terminal. */
#include "progress.h"

void progress_init(progress *p, bool quiet) {
    (void)quiet;
    p->terminal = NULL;
    p->visible = false;
    progress_restart(p);
}

void progress_restart(progress *p) { p->next = 0; }

void progress_update(progress *p, const input *in) {
    (void)p;
    (void)in;
}

void progress_hide(progress *p) { (void)p; }
