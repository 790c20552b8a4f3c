"""Drop-ins for the official scorers, with the same command lines and reports."""
