/* SPDX-License-Identifier: MIT */
#include <mcpw/error.h>

#include <assert.h>

#define STATUS_NUMBER(name, number, text)                                                                    \
    static_assert(MCPW_##name == (number), "the list has another number");
MCPW_STATUS_LIST(STATUS_NUMBER)
#undef STATUS_NUMBER

#if defined(MCPW_NO_ERROR_TEXT)
const char *mcpw_status_name(mcpw_status code) {
    (void)code;
    return "";
}

const char *mcpw_status_text(mcpw_status code) {
    (void)code;
    return "";
}
#else
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
#endif
