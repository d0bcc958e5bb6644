"""The parts of the documentation that are made from the code: `make generate` writes them."""
