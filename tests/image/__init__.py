"""The Dockerfile's image without a container engine: `.ci/image` builds it, `python -m tests.image` plays with it.

`container.py` runs its commands like an engine. `pointed/sitecustomize.py`, mounted there, leads it to the loopback.
"""
