"""Random boards that can be built from the box, for Hypothesis."""

from hypothesis import strategies as st

from engines.pucks.board.box import LaidMat, box

KINDS = {letter: kind.id for letter, kind in ((kind.letter, kind) for kind in box().kinds.values())}
ALL_MATS = "BBBBBBKKKKkkGGGG"


@st.composite
def boards(draw: st.DrawFn) -> tuple[LaidMat, ...]:
    """Any board that can be built from the box: mats that hang together, with a goal, turned anyhow, in reading order."""
    letters = draw(st.permutations(ALL_MATS))[: draw(st.integers(1, 16))]
    if "G" not in letters:
        letters[0] = "G"
    at = [(0, 0)]
    for _ in letters[1:]:
        column, row = draw(st.sampled_from(at))
        while (column, row) in at:
            right, down = draw(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
            column, row = column + right, row + down
        at.append((column, row))
    left, top = min(column for column, _ in at), min(row for _, row in at)
    turned = st.sampled_from([0, 90, 180, 270])
    mats = [LaidMat(KINDS[x], (column - left, row - top), draw(turned)) for x, (column, row) in zip(letters, at, strict=True)]
    return tuple(sorted(mats, key=lambda mat: (mat.at[1], mat.at[0])))
