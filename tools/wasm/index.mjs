// SPDX-License-Identifier: MIT
export * from "./mcpwire.mjs";
