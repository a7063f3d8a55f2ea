"""A walk makes its scenario itself, and so does a replay: one that has run is of no use."""

from gapless.actors.runtime import ActorSystem
from gapless.testing import Scenario, explore


class Nothing(Scenario):
    def begin(self, system: ActorSystem) -> None: ...


explore(Nothing)
