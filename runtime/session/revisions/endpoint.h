/* SPDX-License-Identifier: MIT */
/* The offers of a server or client, computed once for all its sessions: mcpw_endpoint_new of
 * <mcpw/session.h>. */
#ifndef MCPW_ENDPOINT_H
#define MCPW_ENDPOINT_H

#include "../core/core.h"

/* Counts one more holder, who gives it up by mcpw_endpoint_free. */
void mcpw_endpoint_ref(mcpw_endpoint *endpoint);

/* Parts of a binding: where its params have what, the required members of its result, and the _meta of a
 * client's requests, whose text is made once for a revision. */
void mcpw_binding_set_params(mcpw_binding *binding, const mcpw_revision *revision, const mcpw_type *type);
MCPW_NODISCARD mcpw_status mcpw_binding_set_result(mcpw_endpoint *endpoint, mcpw_binding *binding,
                                                   const mcpw_revision *revision, const mcpw_type *type);
/* The text that is put in front of a result's members; is_signed: with the _meta that names this program. */
MCPW_NODISCARD mcpw_status mcpw_binding_set_fill_text(mcpw_endpoint *endpoint, const mcpw_profile *profile,
                                                      mcpw_binding *binding, bool is_signed);
MCPW_NODISCARD mcpw_status mcpw_profile_make_meta_text(mcpw_endpoint *endpoint, mcpw_profile *profile);
MCPW_NODISCARD mcpw_status mcpw_profile_make_meta(mcpw_endpoint *endpoint, mcpw_profile *profile,
                                                  const mcpw_revision *revision, mcpw_binding *binding,
                                                  mcpw_error *error);

#endif
