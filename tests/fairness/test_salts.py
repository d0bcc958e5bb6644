from service.fairness.salts import salt, salts


def test_the_salts_of_a_shoe_are_those_of_its_places() -> None:
    for seed in (bytes(32), bytes(range(32)), b"\xff" * 32):
        each = [salt(seed, "a-table", 3, place) for place in range(60)]
        assert salts(seed, "a-table", 3, 60) == each
