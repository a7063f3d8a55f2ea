"""The fold against the oracle, which shares words with it and no code."""

from __future__ import annotations

from hypothesis import given

from gapless.testing import Story
from gapless.testing.model import model
from tests.support.inputs import stories


@given(stories())
def test_the_fold_reads_as_the_oracle_at_every_prefix(story: Story) -> None:
    for row, said, expected in zip(
        story.rows, story.readings, model(story.rows, story.settings), strict=True
    ):
        assert said == expected, row
