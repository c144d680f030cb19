"""The bot: tables and their lives (`core`), what people do with them (`features`), and how all that looks in Discord."""
