/* SPDX-License-Identifier: MIT */
/*
 * The certificates that the command trusts. A program that is linked to the system's libcurl gets them from
 * there (ca_system.c). One that brings its own libcurl to any system looks where systems have them
 * (ca_search.c, -DMCPW_CA_SEARCH=ON).
 */
#ifndef MCPWIRE_CA_H
#define MCPWIRE_CA_H

/* The file to trust: the given one, or another that was found; NULL: libcurl's own. */
const char *ca_file_of(const char *given);

#endif
