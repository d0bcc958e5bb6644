"""The generator: from the proto files to routes and OpenAPI."""
