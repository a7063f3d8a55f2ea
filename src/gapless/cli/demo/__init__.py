"""The demonstration: a scripted lead, real shells, and what the runtime says of them."""
