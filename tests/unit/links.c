/* SPDX-License-Identifier: MIT */
/* With links.cpp: whether the C++ compiler makes programs with what the C compiler makes. */
int from_c(void);
int from_c(void) { return 0; }
