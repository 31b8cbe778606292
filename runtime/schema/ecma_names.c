/* SPDX-License-Identifier: MIT */
/* Long names of general categories (Unicode, PropertyValueAliases), which PCRE2 has no words for. */
#include "ecma.h"

static const struct {
    const char *name;
    const char *category;
} categories[] = {
    {"Cased_Letter", "L&"},
    {"Close_Punctuation", "Pe"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"LC", "L&"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercase_Letter", "Lu"},
    {"cntrl", "Cc"},
    {"digit", "Nd"},
    {"punct", "P"},
};

static bool begins(mcpw_str text, const char *with) {
    return text.len > strlen(with) && memcmp(text.ptr, with, strlen(with)) == 0;
}

mcpw_str mcpw_ecma_property(mcpw_str name) {
    static const char *const prefixes[] = {"General_Category=", "gc="};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (begins(name, prefixes[i])) {
            name.ptr += strlen(prefixes[i]);
            name.len -= strlen(prefixes[i]);
            break;
        }
    }
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
        if (mcpw_str_is(name, categories[i].name)) {
            return mcpw_str_from(categories[i].category);
        }
    }
    return name;
}
