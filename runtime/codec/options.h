/* SPDX-License-Identifier: MIT */
/* mcpw_options as programs of any version give them. */
#ifndef MCPW_CODEC_OPTIONS_H
#define MCPW_CODEC_OPTIONS_H

#include "../base/compiler.h"

#include <mcpw/codec.h>

/* Makes options those of this version: of a struct with another size a copy in `own`. False where it asks
 * for something that is not known here. */
MCPW_NODISCARD MCPW_INLINE bool mcpw_options_read(const mcpw_options **options, mcpw_options *own) {
    if (MCPW_LIKELY(*options == NULL || (*options)->struct_size == sizeof **options)) {
        return true;
    }
    *own = (mcpw_options)MCPW_OPTIONS_INIT;
    if (!MCPW_TAKE(own, user, *options)) {
        return false;
    }
    *options = own;
    return true;
}

#endif
