"""Gives memory back to the system."""

import ctypes


def give_back() -> None:
    """Give the system the memory that this process does not use at the moment. Do nothing if the C library is not glibc."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)
