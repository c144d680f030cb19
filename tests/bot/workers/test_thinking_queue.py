"""The queue of questions to computers is fair between servers and between people."""

from bot.workers.thinking_queue import FairQueue, Priority


def served(queue: FairQueue[str]) -> list[str]:
    found = []
    while (item := queue.take()) is not None:
        found.append(item)
    return found


def put(queue: FairQueue[str], item: str, server: int = 1, person: int = 1, priority: Priority = Priority.MOVE) -> None:
    queue.put(item, server=server, person=person, priority=priority)


def test_nothing_is_served_from_an_empty_queue() -> None:
    queue: FairQueue[str] = FairQueue()
    assert (queue.take(), len(queue)) == (None, 0)


def test_questions_of_one_person_are_served_in_their_order() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in "abc":
        put(queue, item)
    assert served(queue) == ["a", "b", "c"]


def test_whoever_asks_for_much_does_not_keep_others_waiting() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(5):
        put(queue, f"greedy {number}", server=1, person=1)
    put(queue, "modest", server=1, person=2)
    put(queue, "elsewhere", server=2, person=3)
    assert served(queue) == ["greedy 0", "elsewhere", "modest", "greedy 1", "greedy 2", "greedy 3", "greedy 4"]


def test_a_crowded_server_takes_turns_with_a_quiet_one() -> None:
    queue: FairQueue[str] = FairQueue()
    for person in range(6):
        put(queue, f"crowd {person}", server=1, person=person)
    put(queue, "quiet 1", server=2, person=100)
    put(queue, "quiet 2", server=2, person=101)
    assert served(queue)[:4] == ["crowd 0", "quiet 1", "crowd 1", "quiet 2"]


def test_what_somebody_waits_for_goes_first() -> None:
    queue: FairQueue[str] = FairQueue()
    put(queue, "review", priority=Priority.REVIEW)
    put(queue, "move", priority=Priority.MOVE)
    put(queue, "hint", priority=Priority.HINT)
    put(queue, "urgent", priority=Priority.URGENT)
    assert (queue.of(Priority.MOVE), len(queue), served(queue)) == (1, 4, ["urgent", "hint", "move", "review"])
