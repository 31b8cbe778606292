// SPDX-License-Identifier: MIT
// rapidjson's Document, with its SIMD where the compiler may use it and a pool that is kept between texts.
#if defined(__SSE4_2__)
#define RAPIDJSON_SSE42
#elif defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/document.h>

#include <memory>
#include <new>

#include "peers.h"

namespace {

using pool = rapidjson::MemoryPoolAllocator<>;
using document = rapidjson::GenericDocument<rapidjson::UTF8<>, pool>;

const char *version() { return RAPIDJSON_VERSION_STRING; }

// A pool gives back all memory but its first buffer when it is cleared: enough for any text of the corpus.
constexpr size_t first_buffer = size_t{8} << 20;

struct peer {
    std::unique_ptr<char[]> buffer{new char[first_buffer]};
    pool memory{buffer.get(), first_buffer};
};

void *open_peer(const bench_text *, size_t) { return new (std::nothrow) peer; }

size_t parse(void *state, size_t, bench_text text) {
    pool &memory = static_cast<peer *>(state)->memory;
    bool good;
    {
        document tree(&memory);
        good = !tree.Parse(text.ptr, text.len).HasParseError();
    }
    memory.Clear();
    return good ? text.len : 0;
}

void close_peer(void *state) { delete static_cast<peer *>(state); }

} // namespace

extern "C" const bench_peer bench_peer_rapidjson = {"rapidjson", version, open_peer, parse, close_peer};
