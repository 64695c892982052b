/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CALL_VERSION_H
#define CALL_VERSION_H

/* What --version prints (base/about.h): the version, the parts of the run-time that are there, and the
 * compilers and programs that call would start. */
void version_print(void);

#endif
