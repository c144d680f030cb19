"""Private panels in which a player picks an action, gives orders or plans ahead."""
