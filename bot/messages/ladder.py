"""What a challenge on a ladder has led to, in words."""

from bot.core.table.players import losses, rated_winners
from bot.core.table.snapshot import Snapshot
from bot.messages.players import former_name, names, ordinal
from engines.text import Text, plain, say


def on_ladder(snapshot: Snapshot) -> Text:
    """Say what a challenge has done to the ladder. It counts for the players who began it, not for their stand-ins."""
    winners, left, outcome = rated_winners(snapshot), losses(snapshot), snapshot.table.outcome
    if len(winners) != 1:
        return say("-# 🪜 No winner for the ladder: everybody keeps their place.")
    who = [former_name(left[seat]) if seat in left else name for seat, name in enumerate(names(snapshot))]
    winner, loser = who if winners == (0,) else reversed(who)
    if outcome is None or outcome.ladder is None:
        return say(
            "-# 🪜 On the ladder, this counts as a win for {winner} over {loser}. `/ladder` shows the places.",
            winner=plain(winner),
            loser=plain(loser),
        )
    before, after = outcome.ladder
    known = {"winner": plain(winner), "place": ordinal(after)}
    if after < before:
        return say("-# 🪜 {winner} takes {place} place on the ladder.", **known)
    return say("-# 🪜 {winner} keeps {place} place on the ladder.", **known)
