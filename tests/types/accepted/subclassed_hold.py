"""A leaf is final: a plugin names a hold of its own instead of deriving one."""

from gapless.typings import holds


class Container:
    image: str = ""


hold: holds.Hold = holds.PluginHold(category="container", label=Container.image)
