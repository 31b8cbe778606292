// SPDX-License-Identifier: MIT
// simdjson's DOM. It picks its widest instruction set at run time, whatever this program is built for.
#include <simdjson.h>

#include <new>
#include <string>

#include "peers.h"

namespace {

static_assert(simdjson::SIMDJSON_PADDING <= BENCH_PADDING, "the corpus has less padding than simdjson needs");

#define QUOTE_EXPANDED(text) #text
#define QUOTE(text) QUOTE_EXPANDED(text)

const char *version() {
    static const std::string text =
        QUOTE(SIMDJSON_VERSION) " " + simdjson::get_active_implementation()->name();
    return text.c_str();
}

void *open_peer(const bench_text *, size_t) { return new (std::nothrow) simdjson::dom::parser; }

size_t parse(void *state, size_t, bench_text text) {
    simdjson::dom::element root;
    const auto error =
        static_cast<simdjson::dom::parser *>(state)->parse(text.ptr, text.len, false).get(root);
    return error == simdjson::SUCCESS ? text.len : 0;
}

void close_peer(void *state) { delete static_cast<simdjson::dom::parser *>(state); }

} // namespace

extern "C" const bench_peer bench_peer_simdjson = {"simdjson", version, open_peer, parse, close_peer};
