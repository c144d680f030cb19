"""Openings: the first moves played on a server, and how those games ended."""
