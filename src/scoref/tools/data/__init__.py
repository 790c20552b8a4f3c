"""Which key a file is: fingerprints, and keys that are known by them."""
