"""The referee: an independent second implementation of the rules of play, which checks the journal
of a table.

It imports nothing of the project and shares no code with the decider, so a mistake must be made
twice, in two different ways, to go unnoticed. It takes a rule set and events as they are in the
journal (decoded JSON), follows the game from the players' decisions alone, and objects wherever the
events differ: a card that was not due, a decision that was not open, a payout that is off by one.
It reads tables with a house banker and tables with a rotating banker.

The events may begin with the table or with the first event of any later round; what that round
inherits is then taken as given. An unfinished round is read as far as it goes, if no first card is
face down.
"""

from service.audit.referee.reading import review
from service.audit.referee.record import Objection

__all__ = ["Objection", "review"]
