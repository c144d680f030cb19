"""Settings: those of a person, those of a server, and the tools of its managers."""
