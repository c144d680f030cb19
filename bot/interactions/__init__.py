"""What happens when somebody presses a button: one module for each group of clicks, behind one router."""
