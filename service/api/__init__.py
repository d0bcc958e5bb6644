"""The gRPC door: servicers, and the mapping between protobuf and commands."""
