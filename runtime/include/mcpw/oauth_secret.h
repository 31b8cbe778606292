/* SPDX-License-Identifier: MIT */
/*
 * A store of tokens for <mcpw/oauth.h> in the keyring of a user's desktop, such as that of GNOME or KDE. It
 * reaches the Secret Service by libsecret. This is a library of its own, mcpwire::oauth_secret.
 *
 * The keyring encrypts the values. Each value is an item. The item's attribute "key" is the key's JSON text,
 * which contains no secret. A locked keyring asks the user for its password, and the call blocks until then.
 * The Secret Service has no locks. So processes lock files in a directory, as a store in files does; these
 * files contain no values. (Secret Service API, freedesktop.org.)
 *
 * Threads: a store belongs to the thread of its mcpw_oauth.
 */
#ifndef MCPW_OAUTH_SECRET_H
#define MCPW_OAUTH_SECRET_H

#include <mcpw/oauth.h>

MCPW_BEGIN_DECLS

/* Makes a store in the Secret Service. Free it with mcpw_oauth_secret_free. lock_directory is the directory
 * of the locks. It is as for mcpw_oauth_files_new, and may be the same one. All processes of the user must
 * name the same directory. The store keeps at most MCPW_OAUTH_MOST_RECORDS values (MCPW_E_FULL), of at most 1
 * MiB each (MCPW_E_SIZE). NULL, with error filled in, if there is no Secret Service (MCPW_E_IO), the
 * directory cannot be used, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_store *mcpw_oauth_secret_new(const char *lock_directory,
                                                                       mcpw_error *error);
/* Frees a store. Its values stay in the keyring. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_secret_free(mcpw_oauth_store *store);

MCPW_END_DECLS

#endif
