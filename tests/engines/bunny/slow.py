"""Bounce Bunny Bounce implemented a second time, slowly and plainly, from the rules page alone, to compare the engine with.

Cards lie at (column, row) from (0, 0) at the bottom left. Everything is changed in place; nothing is shared with the engine.
"""

Place = tuple[int, int]

STEP = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


def name(at: Place) -> str:
    return "abcdefg"[at[0]] + str(at[1] + 1)


def at(space: str) -> Place:
    return "abcdefg".index(space[0]), int(space[1]) - 1


class Table:
    def __init__(self, position):
        self.cards = {at(space): card for space, card in position["field"].items() if card != "empty"}
        self.up = {at(space) for space in position["face_up"]}
        self.bunnies = [None if space is None else at(space) for space in position["bunnies"]]
        self.shocks = list(position["shocks"])
        self.carrots = list(position["carrots"])
        self.turn = position["turn"]
        self.chooser = position["to_act"]
        self.phase = position["phase"]
        self.quiet = position["quiet_turns"]
        self.fed = position.get("carrot_taken", False)

    def ahead(self, start, direction):
        """Walk step by step, round the edges, to the next card; None if that is where the walk began, or there is none."""
        column, row = start
        for _ in range(7):
            column, row = (column + STEP[direction][0]) % 7, (row + STEP[direction][1]) % 5
            if (column, row) == start:
                return None
            if (column, row) in self.cards:
                return column, row
        return None

    def over(self):
        return 3 in self.carrots or self.quiet == 80

    def legal(self):
        if self.over():
            return set()
        me, other = self.bunnies[self.chooser], self.bunnies[1 - self.chooser]
        if self.phase == "move" and me is None:
            return {("enter", "abcdefg"[column]) for column in range(7) if (column, 0) in self.cards and (column, 0) != other}
        if self.phase == "move":
            return {(direction,) for direction in STEP if self.ahead(me, direction)}
        if self.phase == "shock":
            return {("pass",)} | {("shock", direction) for direction in STEP if self.ahead(other, direction)}
        if self.phase == "spy":
            return {("spy", name(card)) for card in self.cards if card not in self.up}
        free = [name(card) for card in self.cards if card not in (me, other)]
        return {("swap", first, second) for first in free for second in free if first != second}

    def play(self, action):
        me = self.chooser
        word = action[0]
        if word == "enter":
            self.arrive(me, ("abcdefg".index(action[1]), 0))
        elif word in STEP:
            self.arrive(me, self.ahead(self.bunnies[me], word))
        elif word == "shock":
            self.shocks[me] -= 1
            self.arrive(1 - me, self.ahead(self.bunnies[1 - me], action[1]))
        elif word == "swap":
            first, second = at(action[1]), at(action[2])
            self.cards[first], self.cards[second] = self.cards[second], self.cards[first]
            if (first in self.up) != (second in self.up):
                self.up ^= {first, second}
            self.action_done(me)
        elif word == "spy":
            self.action_done(me)
        else:
            self.next_turn()

    def arrive(self, who, here):
        shown = []
        while True:
            if self.bunnies[1 - who] == here:
                self.bunnies[1 - who] = None
            self.bunnies[who] = here
            shown.append(here)
            if self.cards[here] not in STEP:
                break
            onward = self.ahead(here, self.cards[here])
            if onward is None or onward in shown:
                self.bunnies[who] = None
                break
            here = onward
        for card in shown:
            if self.cards[card] in STEP:
                self.up.discard(card)
        if self.bunnies[who] is None:
            self.action_done(who)
            return
        self.act(who, here)

    def act(self, who, here):
        card = self.cards[here]
        self.up.add(here)
        if card == "carrot":
            del self.cards[here]
            self.up.remove(here)
            self.carrots[who] += 1
            self.fed = True
            if self.carrots[who] == 3:
                self.phase, self.chooser = "move", self.turn
                return
        if card == "bonus":
            self.shocks[who] = min(3, self.shocks[who] + 1)
        if card in ("swap", "spy"):
            self.phase, self.chooser = card, who
            if self.legal():
                return
        self.action_done(who)

    def action_done(self, who):
        if who == self.turn and self.bunnies[1 - self.turn] is not None and self.shocks[self.turn] > 0:
            self.phase, self.chooser = "shock", self.turn
        else:
            self.next_turn()

    def next_turn(self):
        self.up = {card for card in self.up if self.cards[card] != "stop"}
        self.quiet = 0 if self.fed else self.quiet + 1
        self.fed = False
        self.turn = self.chooser = 1 - self.turn
        self.phase = "move"

    def position(self):
        """As the engine writes it, but for what it leaves out."""
        spaces = [(column, row) for row in range(5) for column in range(7)]
        written = {
            "field": {name(space): self.cards.get(space, "empty") for space in spaces},
            "face_up": [name(space) for space in spaces if space in self.up],
            "bunnies": [None if bunny is None else name(bunny) for bunny in self.bunnies],
            "shocks": self.shocks,
            "carrots": self.carrots,
            "to_act": self.chooser,
            "phase": self.phase,
            "turn": self.turn,
            "quiet_turns": self.quiet,
        }
        return {**written, "carrot_taken": True} if self.fed else written


def reach(field):
    """The most Carrots that a lone Bunny can take, trying out every order by brute force."""
    best = 0
    seen: set[tuple[Place | None, frozenset[Place]]] = set()
    todo: list[tuple[Place | None, frozenset[Place]]] = [(None, frozenset())]
    cards = {at(space): card for space, card in field.items()}
    while todo:
        where, taken = todo.pop()
        if (where, taken) in seen:
            continue
        seen.add((where, taken))
        best = max(best, len(taken))
        table = Table.__new__(Table)
        table.cards = {space: card for space, card in cards.items() if space not in taken}
        starts = [(column, 0) for column in range(7) if (column, 0) in table.cards]
        if where is not None:
            starts = [ahead for direction in STEP if (ahead := table.ahead(where, direction))]
        for start in starts:
            table.cards = {space: card for space, card in cards.items() if space not in taken}
            table.up, table.bunnies, table.shocks, table.carrots = set(), [None, None], [0, 0], [0, 0]
            table.turn = table.chooser = table.quiet = 0
            table.phase, table.fed = "move", False
            table.arrive(0, start)
            here = table.bunnies[0]
            todo.append((here, taken | {here} if here is not None and cards[here] == "carrot" else taken))
    return best
