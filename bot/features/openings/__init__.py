"""openings"""
