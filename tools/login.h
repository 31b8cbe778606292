/* SPDX-License-Identifier: MIT */
/* The subcommands for logins. */
#ifndef MCPWIRE_LOGIN_H
#define MCPWIRE_LOGIN_H

#include "tool.h"

int login_run(int argc, char **argv);
int logout_run(int argc, char **argv);
int whoami_run(int argc, char **argv);

#endif
