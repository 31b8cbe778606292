/* SPDX-License-Identifier: MIT */
/* Zephyr's compiler includes the values of Kconfig before every file. */
