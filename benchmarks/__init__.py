"""Benchmarks of the figures that the project promises, each beside a stated reference that is measured in the same run."""
