# SPDX-License-Identifier: GPL-3.0-or-later
# Installed use: pkg-config (cll.pc) and CMake (find_package(cll)).
