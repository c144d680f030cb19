"""How commands and clicks are answered: their context, the reply within three seconds, and requests that take long."""
