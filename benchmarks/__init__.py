"""Benchmarks: the figures that the project promises, each beside a stated reference measured in the same run."""
