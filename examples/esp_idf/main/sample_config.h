/* SPDX-License-Identifier: MIT */
/* The values of Kconfig. */
#include "sdkconfig.h"
