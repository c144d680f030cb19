"""The consequences of any change to a table: turns, plans, questions to computers, pings, ratings, and the rows written."""
