"""watching"""
