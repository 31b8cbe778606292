// SPDX-License-Identifier: MIT
// <mcpw/described.h> in C++: the macros find out by templates what they find out by _Generic in C.
#include <mcpw/codec.h>
#include <mcpw/described.h>
#include <mcpw/mcpw.hpp>

#include <cstdio>
#include <string_view>

struct tide {
    mcpw_str harbour;
    long days;
    mcpw_opt_double height;
    struct {
        const double *items;
        size_t count;
    } heights;
};

static const mcpw_described_member tide_members[] = {
    MCPW_MEMBER(tide, harbour, "Where"),
    MCPW_MEMBER_RANGE(tide, days, 1, 7, nullptr),
    MCPW_MEMBER(tide, height, nullptr),
    MCPW_MEMBER_LIST(tide, heights, nullptr),
};
static const mcpw_described tide_type = MCPW_DESCRIBED(tide, tide_members);

int main() {
    static const char text[] = "{\"harbour\":\"Wyk\",\"days\":2,\"heights\":[2.5,3]}";
    mcpw::arena memory;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    tide value;
    const mcpw_type *const type = mcpw_described_type(&tide_type, memory.get(), &error);
    bool good = type != nullptr &&
                mcpw_decode(type, text, sizeof text - 1, memory.get(), &value, nullptr, &error) == MCPW_OK;
    good = good && value.days == 2 && !value.height.set && value.heights.count == 2;
    good = good && mcpw_encode(type, &value, &out, nullptr, &error) == MCPW_OK;
    good = good && std::string_view(out.data, out.len) == text;
    if (!good) {
        std::fprintf(stderr, "a struct does not go round in C++\n");
    }
    mcpw_buffer_free(&out);
    return good ? 0 : 1;
}
