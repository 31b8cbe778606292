/* SPDX-License-Identifier: MIT */
/* The C library knows streams, which nothing here uses: it would ask for functions of WASI, which a browser
 * lacks. These take their place. */
#include <wasi/api.h>

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd) {
    (void)fd;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *position) {
    (void)fd, (void)offset, (void)whence, (void)position;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *pieces, size_t count,
                               __wasi_size_t *written) {
    (void)fd, (void)pieces, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}
