/* SPDX-License-Identifier: MIT */
/* Long runs by the lanes that every processor of the kind has. */
#include "lane_runs.h"
#include "runs.h"

static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_lane_scan(p, end);
}

static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_lane_copy(to, from, n);
}

static bool is_utf8(const unsigned char *text, size_t n) { return mcpw_lane_is_utf8(text, n); }

static unsigned char *escape(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_lane_escape(to, from, n);
}

const mcpw_runs mcpw_runs_plain = {MCPW_LANE_NAME, scan, copy, is_utf8, escape, NULL, SIZE_MAX};
