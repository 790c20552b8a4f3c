"""`scoref conformance`: run any scorer on a suite of cases, and compare its figures."""
