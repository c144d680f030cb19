"""What Discord is told: a module for each group of jobs."""
