"""What coding-agent CLIs send, read as inputs: one package a CLI, pure and total functions.

A function takes what a CLI sent, decoded from JSON and nothing more, and returns the inputs it
comes to, or why it cannot be read. What says nothing of a session's state comes to no inputs.
Unknown fields are ignored, for each CLI has new ones every week.
"""
