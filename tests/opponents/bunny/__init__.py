"""Tests of the computer player of Bounce Bunny Bounce."""
