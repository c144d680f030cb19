"""Checks the log of a finished Springboard game by itself, with nothing but Python:

    python verify_log.py FILE [LINK [KEPT]]

It checks that the seed has the hash that was shown, that the key follows from the seed and what the players mixed in, that the
log is one unbroken hash chain, and that every draw comes from the key. LINK is the newest link that the bot has shown, KEPT a
file that *Verify* gave during the game. Only `springboard verify FILE` also knows the rules. docs/fair-dice.md explains it all.

It ends with 0 if all is in order, with 1 if something is wrong or cannot be read, and with 3 if the key could not be checked.
"""

import hashlib
import hmac
import re
import sys
import time
from pathlib import Path

COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")
CHAINS = {"Springboard log 2": 1, "Springboard log 3": 2}  # the first line of a log: the version of its hash chain
SHOWN = {1: 8, 2: 16}  # how many digits of a link the bot shows
MOST_BYTES, LONGEST, MOST_DRAWS = 1_000_000, 5000, 100_000  # far more than any game has
LINK = re.compile(r"([1-9][0-9]{0,8})\. ([a-z]+) ([0-5]) (-|[0-9]{1,20}) ([0-9a-f]{64})((?: \S+)*)")
DRAWS = re.compile(r"([0-9]{1,9})\.((?: [1-9][0-9]{0,8}:[0-9]{1,9})+)")
KEPT = re.compile(r"(?m)^([0-9]{1,9})\. (?:[a-z]+ [0-9] (?:-|[0-9]+) )?([0-9a-f]{64})(?= |$)")


def content(path):
    with Path(path).open("rb") as file:
        read = file.read(MOST_BYTES + 1)
    if len(read) > MOST_BYTES:
        raise ValueError(f"{path} is longer than the log of any game: {MOST_BYTES} bytes are read")
    return "\n".join(read.decode().splitlines())


def parts(text):  # the headers by name; the lines of each section by its first line, those of the game under "lines"
    head, sections, name = {}, {"lines": []}, None
    for line in text.split("\n")[1:]:
        if line in ("links:", "draws:") and line not in sections:
            sections[name := line] = []
        elif not line:
            name = name or "lines"
        elif name is not None:
            sections[name].append(line)
        elif (key := line.partition(": ")[0]) not in head:
            head[key] = line.partition(": ")[2]
        else:
            raise ValueError(f"a header is there twice: {key[:80]!r}")
    if max(map(len, sections.values())) > LONGEST + 1:
        raise ValueError(f"more actions than any game has: {LONGEST} are read")
    return head, sections


def matched(pattern, line):
    found = pattern.fullmatch(line)
    if found is None:
        raise ValueError(f"what is {line[:80]!r}?")
    return found.groups()


def key_problems(head, mixed):
    seed, key = bytes.fromhex(head["seed"]), bytes.fromhex(head["key"])
    if hashlib.sha256(seed).hexdigest() != head["seed hash"]:
        yield "The seed is not the one whose hash was shown."
    if hashlib.sha256(key).hexdigest() != head["key hash"]:
        yield "The key is not the one whose hash was shown."
    if "removed" not in mixed and hmac.digest(seed, "\n".join(mixed).encode(), "sha256") != key:
        yield "The key does not follow from the seed and the contributions."


def chain_problems(head, chain, lines, links, mixed):
    seats = sum(colour in head for colour in COLOURS)
    names = ("table", "seed hash", "key hash", "game", "rules", "variant", "options")
    start = [f"springboard chain {chain}", *(f"{name}: {head.get(name, '')}" for name in names), f"seats: {seats}"]
    link = hashlib.sha256("\n".join(start).encode()).hexdigest()
    if links[0] != f"0. {link}":
        yield "The first link does not follow from how the game began."
    if len(lines) != len(links) - 1:
        yield f"There are {len(lines)} lines, but {len(links) - 1} links."
    presses = [int(one.split(":")[1]) >> 22 for one in mixed if one != "removed"]  # their times in milliseconds since 2015
    pressed, latest, misdated = max(presses, default=0), time.time() * 1000 - 1420070400_000, []
    for number, (line, entry) in enumerate(zip(lines, links[1:]), 1):
        told, kind, seat, click, claimed, tokens = matched(LINK, entry)
        link = hashlib.sha256("\n".join((link, str(number), kind, seat, tokens[1:], click)).encode()).hexdigest()
        if told != str(number) or claimed != link:
            yield f"The hash chain breaks at action {number}."
            return
        if not line.startswith(f"{number}. {COLOURS[int(seat)]} "):
            yield f"Line {number} tells of somebody else than the hash chain."
        if click != "-":  # a minute is allowed for what comes late
            misdated += [] if pressed - 60_000 <= int(click) >> 22 <= latest + 60_000 else [number]
            pressed = max(pressed, int(click) >> 22)
    if misdated:
        more = f", and so were {len(misdated) - 1} more" if misdated[1:] else ""
        print(f"Warning: by its id, action {misdated[0]} was pressed before an earlier press or in the future{more}.")


def draw_problems(head, draws, actions):
    key, block = bytes.fromhex(head["key"]), 0
    for number, pairs in (matched(DRAWS, line) for line in draws):
        if int(number) > actions:
            yield f"Action {number} draws, but is not there."
        for below, result in (map(int, pair.split(":")) for pair in pairs.split()):
            while True:
                value = int.from_bytes(hmac.digest(key, b"springboard:%d" % block, "sha256"), "big")
                block += 1
                if value < 2**256 - 2**256 % below:
                    break
            if value % below != result:
                yield f"A draw of action {number} is {result}, but the key gives {value % below}."
                return
            if block > MOST_DRAWS:
                raise ValueError(f"more draws than any game has: {MOST_DRAWS} are read")


def kept_problems(kept, links):
    known = dict(KEPT.findall("\n".join(links)))
    if not kept:
        yield "There are no links in the file that was kept."
    if any(known.get(number) != link for number, link in kept):
        yield "The links that were kept are not those of the log: it was changed."


def main(path, shown="", kept=None):
    try:
        text = content(path)
        head, sections = parts(text)
        chain = CHAINS.get(text.partition("\n")[0])
        if chain is None or "seed" not in head:
            sys.exit("This is no log of version 2 or 3 of a finished game.")
        lines, links, draws = (sections[name] for name in ("lines", "links:", "draws:"))
        mixed = [value for name, value in head.items() if re.fullmatch("contribution [0-9]+", name)]
        problems = [*key_problems(head, mixed), *chain_problems(head, chain, lines, links, mixed)]
        problems += draw_problems(head, draws, len(lines))
        problems += [] if kept is None else kept_problems(KEPT.findall(content(kept)), links)
        newest = KEPT.findall(links[-1])[0][1]
    except (OSError, LookupError, ValueError) as error:
        sys.exit(f"This log cannot be read: {str(error)[:300]}")
    digits = newest[: SHOWN[chain]]
    if not newest.startswith(shown.lower()):
        problems.append(f"The newest link is {digits}, not {shown}.")
    if unchecked := "removed" in mixed:
        print("The key could not be checked: some contributions were removed as those who made them wished.")
    order = "All else is in order" if unchecked else "All is in order"
    print("\n".join(problems[:10]) or f"{order}, if {digits} is the newest link that the bot has shown.")
    return 1 if problems else 3 if unchecked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
