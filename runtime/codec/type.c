/* SPDX-License-Identifier: MIT */
/* The functions of handles. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/table.h>

const char *mcpw_revision_name(const mcpw_revision *revision) { return revision->name; }

uint32_t mcpw_revision_number(const mcpw_revision *revision) { return revision->number; }

const char *mcpw_revision_sha256(const mcpw_revision *revision) { return revision->schema_sha256; }

bool mcpw_revision_has_batches(const mcpw_revision *revision) { return revision->batches != 0; }

int mcpw_method_count(const mcpw_revision *revision) { return revision->method_count; }

size_t mcpw_type_count(const mcpw_revision *revision) { return revision->definition_count; }

const mcpw_type *mcpw_type_at(const mcpw_revision *revision, size_t index) {
    return index < revision->definition_count ? revision->definitions[index] : NULL;
}

const mcpw_revision *mcpw_type_revision(const mcpw_type *type) { return type->revision; }

const char *mcpw_type_name(const mcpw_type *type) { return type->name; }

size_t mcpw_type_size(const mcpw_type *type) { return type->size; }

unsigned mcpw_method_flags(const mcpw_method *method) { return method != NULL ? method->flags : 0; }

const mcpw_type *mcpw_method_params(const mcpw_method *method) { return method->params; }

const mcpw_type *mcpw_method_result(const mcpw_method *method) { return method->result; }

const mcpw_type *mcpw_method_response(const mcpw_method *method) { return method->response; }

const mcpw_type *mcpw_method_task_result(const mcpw_method *method) { return method->task_result; }
