"""The handlers of clicks: one module for each group of buttons, behind one router."""
