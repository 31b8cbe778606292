/* SPDX-License-Identifier: MIT */
/* Front matter of SKILL.md, and the names that it must have. */
#ifndef MCPW_SKILLS_FRONTMATTER_H
#define MCPW_SKILLS_FRONTMATTER_H

#include <mcpw/json.h>
#include <mcpw/skills.h>

/* The JSON type of a plain scalar by YAML's core schema. */
typedef enum mcpw_yaml_kind {
    MCPW_YAML_STRING,
    MCPW_YAML_NULL,
    MCPW_YAML_BOOL,
    MCPW_YAML_INT,
    MCPW_YAML_FLOAT,
    MCPW_YAML_NO_JSON /* a number that JSON does not have */
} mcpw_yaml_kind;

/* The type of a plain scalar. */
mcpw_yaml_kind mcpw_yaml_kind_of(mcpw_str text);

enum { MCPW_YAML_NUMBER_EXTRA = 24 /* bytes that the JSON text of a number may have more than its YAML */ };

/* Writes an integer or a float as JSON, with its own digits; `out` has room for text.len +
 * MCPW_YAML_NUMBER_EXTRA bytes. Returns the length; 0: a number in base 8 or 16 is too large. */
size_t mcpw_yaml_number(mcpw_str text, char *out);

/* Finds the YAML between the two lines "---". */
MCPW_NODISCARD mcpw_status mcpw_frontmatter_cut(const void *bytes, size_t len, mcpw_str *yaml,
                                                mcpw_error *error);

/* Whether a name consists of 1 to 64 of a-z, 0-9 and inner hyphens. */
bool mcpw_skill_name_is_valid(mcpw_str name);

/* Whether front matter has a description, and the name of the directory. */
MCPW_NODISCARD mcpw_status mcpw_frontmatter_check(mcpw_json frontmatter, mcpw_str directory,
                                                  mcpw_error *error);

#endif
