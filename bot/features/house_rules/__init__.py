"""house_rules"""
