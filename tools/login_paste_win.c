/* SPDX-License-Identifier: MIT */
#include "login_paste.h"

#include <stdio.h>

bool login_paste(char *line, size_t size) { return fgets(line, (int)size, stdin) != NULL; }
