"""The application: one pipeline for every call, one write path, and the ports they need."""
