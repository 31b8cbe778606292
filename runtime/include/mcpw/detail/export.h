/* SPDX-License-Identifier: MIT */
/*
 * Export macros, one for each shared library. On Windows a program that uses the DLLs defines
 * MCPW_SHARED. The build of a DLL defines MCPW_SHARED and its own MCPW_BUILDING_CODEC or
 * MCPW_BUILDING_SESSION, so that the library of sessions imports what the codec exports.
 */
#ifndef MCPW_DETAIL_EXPORT_H
#define MCPW_DETAIL_EXPORT_H

/* An identifier of a library that is static everywhere, or of code that a program has generated for itself.
 */
#if !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#define MCPW_STATIC_API __attribute__((visibility("default")))
#else
#define MCPW_STATIC_API
#endif

#if !defined(_WIN32) || !defined(MCPW_SHARED)
/* An identifier that the library of the codec exports. */
#define MCPW_API MCPW_STATIC_API
/* An identifier that the library of sessions exports. */
#define MCPW_SESSION_API MCPW_STATIC_API
#else
/* An identifier of another DLL. MinGW needs no attribute: its linker imports the identifier. The attribute
 * would break tables that hold addresses of other tables, because the address of an imported table is no
 * constant. */
#if defined(_MSC_VER)
#define MCPW_IMPORTED __declspec(dllimport)
#else
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
#endif

#endif
