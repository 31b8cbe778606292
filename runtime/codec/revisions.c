/* SPDX-License-Identifier: MIT */
/* Sets of revisions: <mcpw/library.h>. */
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol_table.h>
#include <mcpw/detail/table.h>
#include <mcpw/library.h>

void mcpw_library_init(mcpw_library *library) {
    size_t count = 0;
    const mcpw_revision *const *const held = mcpw_revisions(&count);
    library->count = count < MCPW_LIBRARY_MAX ? count : MCPW_LIBRARY_MAX;
    memcpy(library->revisions, held, library->count * sizeof *held);
}

mcpw_status mcpw_library_add(mcpw_library *library, const mcpw_revision *revision, mcpw_error *error) {
    if (library == NULL || revision == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "there is no %s", library == NULL ? "library" : "revision");
        return MCPW_E_ARGUMENT;
    }
    if (revision->abi != MCPW_TABLE_ABI) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "these bindings were generated for another mcpwire");
        return MCPW_E_ARGUMENT;
    }
    size_t place = library->count;
    while (place > 0 && strcmp(library->revisions[place - 1]->name, revision->name) > 0) {
        place--;
    }
    if (place > 0 && strcmp(library->revisions[place - 1]->name, revision->name) == 0) {
        library->revisions[place - 1] = revision;
        return MCPW_OK;
    }
    if (library->count == MCPW_LIBRARY_MAX) {
        mcpw_error_set(error, MCPW_E_SIZE, 0, "a library has room for %u revisions",
                       (unsigned)MCPW_LIBRARY_MAX);
        return MCPW_E_SIZE;
    }
    memmove(library->revisions + place + 1, library->revisions + place,
            (library->count - place) * sizeof *library->revisions);
    library->revisions[place] = revision;
    library->count++;
    return MCPW_OK;
}

const mcpw_revision *const *mcpw_library_revisions(const mcpw_library *library, size_t *count) {
    if (library == NULL) {
        return mcpw_revisions(count);
    }
    *count = library->count;
    return library->revisions;
}

const mcpw_revision *mcpw_library_revision(const mcpw_library *library, const char *name) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(library, &count);
    for (size_t i = 0; name != NULL && i < count; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

const mcpw_protocol *mcpw_revision_protocol(const mcpw_revision *revision) {
    return revision != NULL ? revision->protocol : NULL;
}

const mcpw_type *mcpw_library_type(const mcpw_library *library, const char *revision, const char *name) {
    return mcpw_revision_type(mcpw_library_revision(library, revision), name);
}
