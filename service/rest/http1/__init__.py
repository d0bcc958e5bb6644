"""HTTP/1.1 as a server speaks it: bytes of clients to requests, answers to bytes, within limits.

It knows nothing of the API. What a request means is the application's; whatever is not exactly one
request by RFC 9112, or exceeds a limit, never gets there.
"""
