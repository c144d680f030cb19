"""What a process runs on: loops, back-off, caches and metrics. It knows nothing of tables."""
