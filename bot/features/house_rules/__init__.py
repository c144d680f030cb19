"""House rules: how a server wants its games to be played, as its managers choose on one panel."""
