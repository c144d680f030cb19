"""Benchmarks: what the project promises, each figure beside a stated reference measured in the same run."""
