"""Openings: the first moves that are played on a server, and how those games ended."""
