# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DINPUT="FILE;..." -DOUTPUT=FILE.c -DNAME=NAME -P Embed.cmake: the bytes of the files as a C string NAME.
set(hex "")
foreach(file ${INPUT})
  file(READ ${file} more HEX)
  string(APPEND hex "${more}")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
