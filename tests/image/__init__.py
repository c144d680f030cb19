"""The image of the Dockerfile, without a container engine: `.ci/image` builds it, and `python -m tests.image` plays with it.

`container.py` runs its commands as an engine would. `pointed/sitecustomize.py` is mounted there, so that it finds the loopback.
"""
