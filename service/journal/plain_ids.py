"""Plain ids: the form of the ids of tables, rule sets, players and requests.

1 to 64 letters, digits, `-` and `_`; case matters.
"""

import re

PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
