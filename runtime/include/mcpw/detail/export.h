/* SPDX-License-Identifier: MIT */
/*
 * Marks of exported identifiers, one for each shared library:
 *   - MCPW_API          the library of the codec
 *   - MCPW_SESSION_API  the library of sessions
 *   - MCPW_STATIC_API   libraries that are static everywhere, and code that a program has generated for
 * itself On Windows a program that uses the DLLs defines MCPW_SHARED. The build of a DLL defines MCPW_SHARED
 * and its own MCPW_BUILDING_CODEC or MCPW_BUILDING_SESSION, so that the library of sessions imports what the
 * codec exports.
 */
#ifndef MCPW_DETAIL_EXPORT_H
#define MCPW_DETAIL_EXPORT_H

#if defined(_WIN32) && defined(MCPW_SHARED)
#define MCPW_STATIC_API
#if defined(_MSC_VER)
#define MCPW_IMPORTED __declspec(dllimport)
#else
/* Nothing: the linker of MinGW imports without it, also where a constant holds the address of a table. That
 * is no constant in C once the table is declared as imported. */
#define MCPW_IMPORTED
#endif
#if defined(MCPW_BUILDING_CODEC)
#define MCPW_API __declspec(dllexport)
#else
#define MCPW_API MCPW_IMPORTED
#endif
#if defined(MCPW_BUILDING_SESSION)
#define MCPW_SESSION_API __declspec(dllexport)
#else
#define MCPW_SESSION_API MCPW_IMPORTED
#endif
#else
#if !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#define MCPW_STATIC_API __attribute__((visibility("default")))
#else
#define MCPW_STATIC_API
#endif
#define MCPW_API MCPW_STATIC_API
#define MCPW_SESSION_API MCPW_STATIC_API
#endif

#endif
