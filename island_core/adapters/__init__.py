"""Adapters to trainers, one module each, which needs the extra of its name. Nothing else here imports them."""
