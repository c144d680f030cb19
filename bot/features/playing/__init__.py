"""playing"""
