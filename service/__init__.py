"""Blackjack as a service: the rulebook, the decider and the doors through which they are played."""
