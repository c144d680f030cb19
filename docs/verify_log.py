"""Checks the log of a finished Springboard game by itself, with nothing but Python: python verify_log.py FILE [LINK]

It checks that the seed has the hash that was shown, that the key follows from the seed and what the players mixed in, that the
log is one unbroken hash chain, and that every draw comes from the key. LINK is what stands after "log" under the last board.
It knows no rules: `springboard verify FILE` also plays the game again. docs/fair-dice.md explains all of it.
"""

import hashlib
import hmac
import re
import sys
from pathlib import Path

COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")


def parts(text):  # the headers by name; the lines of each section by its first line, those of the game under "lines"
    head, sections, name = {}, {"lines": []}, None
    for line in text.splitlines()[1:]:
        if line in ("links:", "draws:"):
            sections[name := line] = []
        elif not line:
            name = name or "lines"
        elif name is None:
            key, _, value = line.partition(": ")
            head[key] = value
        else:
            sections[name].append(line)
    return head, sections


def key_problems(head):
    seed, key = bytes.fromhex(head["seed"]), bytes.fromhex(head["key"])
    mixed = [value for name, value in head.items() if re.fullmatch("contribution [0-9]+", name)]
    if hashlib.sha256(seed).hexdigest() != head["seed hash"]:
        yield "The seed is not the one whose hash was shown."
    if hashlib.sha256(key).hexdigest() != head["key hash"]:
        yield "The key is not the one whose hash was shown."
    if "removed" in mixed:
        print("Some contributions were removed as their owners wished: only they could compute the key again.")
    elif hmac.digest(seed, "\n".join(mixed).encode(), "sha256") != key:
        yield "The key does not follow from the seed and the contributions."


def chain_problems(head, lines, links):
    seats = sum(colour in head for colour in COLOURS)
    names = ("table", "seed hash", "key hash", "game", "rules", "variant", "options")
    start = ["springboard chain 1", *(f"{name}: {head.get(name, '')}" for name in names), f"seats: {seats}"]
    link = hashlib.sha256("\n".join(start).encode()).hexdigest()
    if links[0] != f"0. {link}":
        yield "The first link does not follow from how the game began."
    if len(lines) != len(links) - 1:
        yield f"There are {len(lines)} lines, but {len(links) - 1} links."
    for number, (line, entry) in enumerate(zip(lines, links[1:]), 1):
        told, kind, seat, click, claimed, *tokens = entry.split(" ")
        link = hashlib.sha256("\n".join((link, str(number), kind, seat, " ".join(tokens), click)).encode()).hexdigest()
        if told != f"{number}." or claimed != link:
            yield f"The hash chain breaks at action {number}."
            return
        if not line.startswith(f"{number}. {COLOURS[int(seat)]} "):
            yield f"Line {number} tells of somebody else than the hash chain."


def draw_problems(head, draws, actions):
    key, block = bytes.fromhex(head["key"]), 0
    for line in draws:
        number, *pairs = line.split(" ")
        if int(number[:-1]) > actions:
            yield f"Action {number[:-1]} draws, but is not there."
        for below, result in (map(int, pair.split(":")) for pair in pairs):
            while True:
                value = int.from_bytes(hmac.digest(key, b"springboard:%d" % block, "sha256"), "big")
                block += 1
                if value < 2**256 - 2**256 % below:
                    break
            if value % below != result:
                yield f"A draw of action {number[:-1]} is {result}, but the key gives {value % below}."


def main(path, shown=""):
    text = Path(path).read_text(encoding="utf-8")
    head, sections = parts(text)
    if not text.startswith("Springboard log 2\n") or "seed" not in head:
        sys.exit("This is no log of version 2 of a finished game.")
    try:
        lines, links, draws = (sections[name] for name in ("lines", "links:", "draws:"))
        problems = [*key_problems(head), *chain_problems(head, lines, links), *draw_problems(head, draws, len(lines))]
        newest = re.findall("[0-9a-f]{64}", links[-1])[0]
    except (LookupError, ValueError) as error:
        sys.exit(f"This log cannot be read: {error!r}")
    if not newest.startswith(shown):
        problems.append(f"The newest link is {newest[:8]}, not {shown}.")
    print("\n".join(problems) or f"All is in order, if {newest[:8]} stands after “log” under the last board.")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
