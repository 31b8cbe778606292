/* SPDX-License-Identifier: MIT */
/* The command "report" of the module: a text as a page of tools/web/. */
#ifndef MCPWIRE_LOOK_H
#define MCPWIRE_LOOK_H

/* Writes the page with the trace (trace.h) of a recording, which is held to the rules of mcpwire tap, or else
 * of messages, which are checked as by mcpwire validate: one a line, or one in all. Returns an exit status.
 */
int look_run(int argc, char **argv);

#endif
