"""Both programs that check a log, given as many changed logs as one likes: python -m benchmarks.hostile_logs [NUMBER [SEED]]

Each file is a real log of one of the games, with one to four changes (test_hostile_logs.py has a sample).
The first one that a program does not answer with a sentence ends it with the traceback, and is kept in hostile.txt.
"""

import sys
import time
from collections import Counter
from pathlib import Path

from bot.features.verify.logbook import LONGEST
from bot.features.verify.logcheck import examine, text_of
from tests.bot.features.verify.test_hostile_logs import a_sample, by_the_script, check_both, up_and_down
from tests.bot.features.verify.test_kept_logs import ONE_EACH

NUMBER, SEED = 100_000, 1


def main(number: int = NUMBER, seed: int = SEED) -> None:
    """Check so many changed logs; print what the programs ended with, and the longest times in seconds of CPU time."""
    path, ends = Path("hostile.txt"), Counter[str]()
    ours = alone = 0.0
    for raw in a_sample(number, seed):
        check_both(path, raw)
        began = time.process_time()
        text, _ = text_of(path)
        code = 1 if text is None else examine(text).exit_code
        between = time.process_time()
        other = by_the_script(path)
        ours, alone = max(ours, between - began), max(alone, time.process_time() - between)
        ends[f"springboard verify {code}, verify_log.py {other if isinstance(other, int) else 1}"] += 1
    path.unlink(missing_ok=True)
    for case in ONE_EACH:
        longest, began = up_and_down(case), time.process_time()
        examine(longest)
        print(f"{case.game_id}: a log of {LONGEST} entries, {time.process_time() - began:.2f} s by springboard verify")
    print(f"{number} changed logs, at most {ours:.3f} s by springboard verify, {alone:.3f} s by verify_log.py")
    for what, times in ends.most_common():
        print(f"{times:8} {what}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
