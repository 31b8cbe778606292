/* SPDX-License-Identifier: MIT */
/* Without sessions, messages name a revision as the library does. */
#include "glance.h"

const char *glance_wire(const mcpw_revision *revision) { return mcpw_revision_name(revision); }
