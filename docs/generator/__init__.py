"""The parts of the documentation that are generated from the code by `make generate`."""
