"""The number of the decider that new rows are decided by."""

ENGINE = 1
