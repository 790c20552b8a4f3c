"""Two texts that should be the same: which piece stands for which."""
