"""Time at the tables: deadlines, reminders, absences and outages."""
