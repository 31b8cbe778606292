/* SPDX-License-Identifier: MIT */
/* Results of extensions for methods of the protocol. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/extension.h>

#include "respond.h"

#include "../core/threads.h"
#include "../revisions/declared.h"
#include "../revisions/extension.h"
#include "request.h"

MCPW_POSTED(posted_respond_extension, mcpw_respond_extension(request, a->text, a->json, a->error))

mcpw_status mcpw_respond_extension(mcpw_request *request, const char *id, mcpw_json result,
                                   mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_respond_extension,
                              &(mcpw_post_args){.text = id, .json = result, .error = error});
    }
    const mcpw_registered *const item = mcpw_extensions_by_id(request->session->config->extensions, id);
    const mcpw_status ended = mcpw_request_ended(request);
    if (ended != MCPW_OK) {
        return mcpw_error_set(error, ended, 0, "the request has been answered or cancelled already");
    }
    if (item == NULL || mcpw_json_kind_of(result) != MCPW_JSON_OBJECT) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the result is no object, or the extension was not added");
        return mcpw_request_unsendable(request, MCPW_E_ARGUMENT, error);
    }
    if (!request->profile->takes_extensions ||
        !mcpw_declares(mcpw_request_declared(request), item->capability)) {
        request->client.lacking = item->capability;
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the client has not declared \"%s\"",
                              item->capability);
    }
    const mcpw_status status = mcpw_result_fill(request, &result);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        return mcpw_request_unsendable(request, status, error);
    }
    return mcpw_respond_raw(request, mcpw_revision_type(request->profile->revision, "Result"), result, error);
}
