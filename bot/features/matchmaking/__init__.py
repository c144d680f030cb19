"""matchmaking"""
