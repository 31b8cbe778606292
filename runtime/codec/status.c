/* SPDX-License-Identifier: MIT */
#include <mcpw/error.h>

const char *mcpw_status_name(mcpw_status code) {
    switch (code) {
#define STATUS_NAME(name, number, text)                                                                      \
    case MCPW_##name:                                                                                        \
        return "MCPW_" #name;
        MCPW_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "MCPW_E_UNKNOWN";
}

const char *mcpw_status_text(mcpw_status code) {
    switch (code) {
#define STATUS_TEXT(name, number, text)                                                                      \
    case MCPW_##name:                                                                                        \
        return (text);
        MCPW_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}
