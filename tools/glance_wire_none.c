/* SPDX-License-Identifier: MIT */
/* Where there are no sessions, nothing tells that messages call a revision otherwise. */
#include "glance.h"

const char *glance_wire(const mcpw_revision *revision) { return mcpw_revision_name(revision); }
