"""Builders of messages, which show the snapshot of a table; their buttons' custom_ids hold all state, across restarts."""
