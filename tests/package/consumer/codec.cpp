// SPDX-License-Identifier: MIT
// The codec from C++: types with their full names, side by side.
#include <mcp/2024-11-05.h>
#include <mcp/2026-07-28.h>

#include <iostream>
#include <string>

int main() {
    const std::string text = R"({"name":"cpp","version":"17"})";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20241105_implementation old_one = {};
    mcp_20260728_implementation new_one = {};
    const bool read = mcp_20241105_implementation_decode(text.data(), text.size(), &arena, &old_one, nullptr,
                                                         nullptr) == MCPW_OK &&
                      mcp_20260728_implementation_decode(text.data(), text.size(), &arena, &new_one, nullptr,
                                                         nullptr) == MCPW_OK;
    if (read) {
        std::cout << "mcpwire from " << old_one.name.ptr << new_one.version.ptr << "\n";
    }
    mcpw_arena_free(&arena);
    return read ? 0 : 1;
}
