/* SPDX-License-Identifier: MIT */
#include <mcpw/detail/protocol.h>

#include "glance.h"

const char *glance_wire(const mcpw_revision *revision) { return mcpw_revision_wire(revision); }
