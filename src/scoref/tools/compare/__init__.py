"""Which system is better, and is that chance?"""
