/* SPDX-License-Identifier: MIT */
/* Paths of files below a root, with slashes between their names. */
#ifndef MCPW_SKILLS_PATH_H
#define MCPW_SKILLS_PATH_H

#include <mcpw/skills.h>

/* Orders texts by their bytes. */
int mcpw_skills_compare(mcpw_str a, mcpw_str b);
/* Whether a name can be listed: UTF-8 without control characters. */
bool mcpw_skills_name_is_text(const char *name, size_t len);
/* Whether the path of a file is one: names without control characters, none of them empty, "." or "..". */
bool mcpw_skills_path_is_valid(mcpw_str path);
/* Whether `path` is `directory`, or lies below it. */
bool mcpw_skills_is_within(mcpw_str path, mcpw_str directory);
/* The last segment. */
mcpw_str mcpw_skills_name_of(mcpw_str path);

#endif
