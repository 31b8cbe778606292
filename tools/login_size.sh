#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the bytes that a login adds to a client over HTTP: two programs are linked with the static libraries of
# mcpwire, and their code and data are counted. Usage: tools/login_size.sh [BUILD], the folder of a build; build/test if
# it is not given.
# Fails if a client without a login has a part of it.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/test}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cat >"$out/without.c" <<'END'
#include <mcpw/http_connect.h>
int main(int argc, char **argv) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    options.url = argv[argc - 1];
    config.name = config.version = "1";
    mcpw_client_free(mcpw_client_connect(&options, &config, NULL));
    return 0;
}
END
cat >"$out/with.c" <<'END'
#include <mcpw/http_login.h>
int main(int argc, char **argv) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_http_login_options login = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    login.url = options.url = argv[argc - 1];
    config.name = config.version = "1";
    options.login = mcpw_http_login_new(&login, NULL);
    mcpw_client_free(mcpw_client_connect(&options, &config, NULL));
    mcpw_http_login_free(options.login);
    return 0;
}
END
libraries=$(pkg-config --libs libcurl libsodium)
for name in without with; do
    # shellcheck disable=SC2086
    "${CC:-cc}" -O2 -I"$build/config" -Iruntime/include -Igenerated/common "$out/$name.c" -o "$out/$name" \
        -Wl,--gc-sections "$build/runtime/libmcpwire-http-login.a" "$build/runtime/libmcpwire-http-client.a" \
        "$build/runtime/libmcpwire-oauth.a" "$build/runtime/libmcpwire-session.a" "$build/runtime/libmcpwire.a" \
        $libraries -lm -lpthread
done
if nm "$out/without" | grep -q ' mcpw_oauth_'; then
    echo "a client without a login links a part of <mcpw/oauth.h>" >&2
    exit 1
fi
loaded() { size "$1" | awk 'NR == 2 { print $1 + $2 }'; } # bytes; those of the file come in pages
without=$(loaded "$out/without")
with=$(loaded "$out/with")
echo "a client over HTTP: $without bytes; with a login: $with bytes; a login adds $((with - without)) bytes"
