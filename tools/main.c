/* SPDX-License-Identifier: MIT */
/* The mcpwire command: finds the subcommand and runs it. */
#define _POSIX_C_SOURCE 200809L

#include "login.h"
#include "overlay.h"
#include "suggest.h"
#include "system.h"
#include "tool.h"

#include <mcpw/codec.h>

#include <stdio.h>
#include <string.h>

static const subcommand subcommands[] = {
    {"validate", "check messages or values against a revision of the protocol", validate_run},
#ifdef MCPWIRE_SESSION
    {"tap", "report faults between a client and a server", tap_run},
    {"call", "list and call the tools of a server", call_run},
    {"convert", "convert messages from one revision to another", convert_run},
#endif
#ifdef MCPWIRE_LOGIN
    {"login", "log in at a server", login_run},
    {"logout", "remove the login at a server", logout_run},
    {"whoami", "show the login at a server", whoami_run},
#endif
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static int print_help(void) {
    fputs("mcpwire: tools for the Model Context Protocol\n"
          "\n"
          "usage: mcpwire COMMAND [OPTION...] [ARGUMENT...]\n"
          "       mcpwire --help | --version\n"
          "\n"
          "commands:\n",
          stdout);
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        printf("  %-10s  %s\n", subcommands[i].name, subcommands[i].summary);
    }
    fputs("\n"
          "\"mcpwire COMMAND --help\" explains a command.\n"
          "\n"
          "examples:\n"
          "  mcpwire validate --ndjson session.ndjson\n",
          stdout);
#ifdef MCPWIRE_SESSION
    fputs("  mcpwire tap -- ./server\n"
          "  mcpwire call --tool echo message=hello -- ./server\n",
          stdout);
#endif
    return tool_finish_output();
}

static int print_version(void) {
    text out = TEXT_INIT;
    text_format(&out, "mcpwire %s\nrevisions: ", MCPWIRE_VERSION);
    tool_list_revisions(&out, ", ");
    text_format(&out, "\ndefault: %s\noverlays: ", mcpw_revision_name(tool_default_revision()));
    overlays_list_names(&out, ", ");
    text_add(&out, "\n");
    return tool_print(&out);
}

static const char *subcommand_name(const void *list, size_t index) {
    return ((const subcommand *)list)[index].name;
}

static int unknown_command(const char *name) {
    char near[SUGGEST_SIZE];
    if (suggest(near, name, subcommands, SUBCOMMANDS, subcommand_name)) {
        tool_complain("there is no command \"%s\"; did you mean %s?", name, near);
    } else {
        tool_complain("there is no command \"%s\"; \"mcpwire --help\" lists them", name);
    }
    return TOOL_FAILED;
}

int main(int argc, char **argv) {
    argv = system_begin(&argc, argv);
    if (argc < 2) {
        tool_complain("no command given; \"mcpwire --help\" lists them");
        return TOOL_FAILED;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        return print_version();
    }
    const bool help = strcmp(name, "help") == 0;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (help && argc == 2)) {
        return print_help();
    }
    name = help ? argv[2] : name;
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(name, subcommands[i].name) == 0) {
            static char help_option[] = "--help";
            char *asked[] = {argv[2], help_option, NULL};
            return help ? subcommands[i].run(2, asked) : subcommands[i].run(argc - 1, argv + 1);
        }
    }
    return unknown_command(name);
}
