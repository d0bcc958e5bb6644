"""The referee: a second reading of the rules of play, held against the log of a table.

It imports nothing of the project and shares no code with the engine, so a fault has to be made
twice, in two shapes, to go unseen. It takes a rule set and events as they stand in the journal
(decoded JSON), follows the game from the players' decisions alone, and objects wherever the log
says something else: a card that was not due, a decision that was not open, a payout that is off by
one. It reads tables with a house banker and tables whose players take turns as banker.

A log may begin with the table or with the first event of any later round, whose inheritance is then
taken as given. A round that is not over is read as far as it goes, if no first card lies face down.
"""

from service.audit.referee.reading import review
from service.audit.referee.record import Objection

__all__ = ["Objection", "review"]
