"""challenges"""
