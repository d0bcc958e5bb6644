"""Plain ids: what may name a table, a rule set, a player, a request.

Letters, digits, `-` and `_`, 1 to 64 of them; case counts.
"""

import re

PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
