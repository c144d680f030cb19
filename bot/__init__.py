"""The bot: tables and their lives (`core`), what people do with them (`features`), and how everything looks in Discord."""
