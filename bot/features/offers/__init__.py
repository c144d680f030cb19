"""offers"""
