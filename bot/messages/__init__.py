"""What people see and press: messages built from a snapshot at a table, and the one router for every click.

No layout holds state. Whatever a button needs to know stands in its custom_id, so that every button of every message works
after a restart as it did before.
"""
