#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command on a pseudo-terminal and prints what it shows there.

    terminal.py [--size ROWSxCOLUMNS] [--expect TEXT | --send KEYS]... -- COMMAND...

The steps are done in their order: --expect waits until TEXT has come, --send types KEYS, in which \\t, \\n, \\x03 and the like
are keys. Then it waits for the end of the command. The exit status is that of the command; 99 if a TEXT does not come within
60 seconds or the command does not end, and 77 if there are no pseudo-terminals here.
"""
import codecs
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, command, rows, columns):
        try:
            self.pid, self.fd = pty.fork()
        except OSError:
            sys.exit(77)
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.seen = b""  # since the last text that was expected
        self.end = time.time() + 300

    def read(self):
        """Whether there was more."""
        if not select.select([self.fd], [], [], max(0, self.end - time.time()))[0]:
            self.give_up("the command does not end")
        try:
            more = os.read(self.fd, 65536)
        except OSError:
            more = b""
        sys.stdout.buffer.write(more)
        sys.stdout.buffer.flush()
        self.seen += more
        return bool(more)

    def give_up(self, why):
        print(f"\nterminal.py: {why}", file=sys.stderr)
        os.kill(self.pid, 9)
        sys.exit(99)

    def expect(self, text):
        self.end = time.time() + 300
        while text not in self.seen:
            if time.time() > self.end or not self.read():
                self.give_up(f"{text!r} did not come")
        self.seen = self.seen[self.seen.index(text) + len(text):]

    def send(self, keys):
        os.write(self.fd, keys)

    def wait(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def main(words):
    rows, columns, steps = 24, 80, []
    while words and words[0] != "--":
        option, value, words = words[0], words[1], words[2:]
        if option == "--size":
            rows, columns = map(int, value.split("x"))
        else:
            steps.append((option, codecs.escape_decode(value.encode())[0]))
    terminal = Terminal(words[1:], rows, columns)
    for option, value in steps:
        (terminal.expect if option == "--expect" else terminal.send)(value)
    status = terminal.wait()
    sys.exit(status if status >= 0 else 128 - status)


main(sys.argv[1:])
