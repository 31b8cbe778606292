// SPDX-License-Identifier: MIT
// See links.c.
#include <string>

extern "C" int from_c(void);

int main() { return from_c() + static_cast<int>(std::string().size()); }
