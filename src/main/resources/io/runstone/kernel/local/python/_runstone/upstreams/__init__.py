"""What the module upstream is made of; imported with it, and not before."""
