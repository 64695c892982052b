/* SPDX-License-Identifier: MIT */
/*
 * call.h: names that a paper on CALL prints and that are different here. A program that includes it
 * compiles with these names.
 *
 *     call.h          the header of the run-time is cll.h
 *     bsp_obl_sync    libpub has bsp_oblsync (pub.h)
 */
#ifndef CALL_H
#define CALL_H

#include <cll.h>

#define bsp_obl_sync bsp_oblsync

#endif
