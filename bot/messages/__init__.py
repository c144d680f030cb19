"""Builders of messages, which show a table's snapshot. All state is in the buttons' custom_ids, so restarts do no harm."""
