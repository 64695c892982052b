# SPDX-License-Identifier: GPL-3.0-or-later
"""What `nm` prints of an archive. It is kept in the working folder, for the next script that asks."""
import os
import re
import subprocess


def symbols(path):
    """Triples of object, kind and name."""
    kept = os.path.basename(path) + ".symbols"
    if not os.path.exists(kept):
        with open(kept, "w") as out:
            subprocess.run(["nm", "-A", path], stdout=out, check=True)
    return re.findall(r"^[^:]*:([^:]*):\S* +(?:[0-9a-f]+ )?(\w) (\S+)$", open(kept).read(), re.M)
