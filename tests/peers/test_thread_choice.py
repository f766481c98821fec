"""How a peer chooses its threads for the steps and calls of `models`, and that its cases use the choice."""

import json

from peers.catalogue import catalogue
from peers.protocol import Parameters
from peers.thread_choice import SECONDS_PER_TURN, TURNS, chosen, fastest, shortest_turn


def parameters(name, case, *arguments):
    return Parameters(catalogue(name, "1"), [case, "--threads", "2", *arguments])


def test_the_fewest_threads_within_three_percent_of_the_fastest_win():
    assert fastest({1: 102.0, 2: 100.0}) == 1
    assert fastest({1: 104.0, 2: 100.0}) == 2
    assert fastest({1: 100.0, 2: 140.0}) == 1
    assert fastest({2: 100.0, 1: 101.0, 4: 99.0}) == 1


def test_a_case_takes_what_was_chosen_for_its_work(tmp_path):
    file = tmp_path / "threads.json"
    file.write_text(json.dumps({"models.call 1": 1, "models.call 8": 2, "models.step mlp": 1}))
    given = ("--artifact", f"threads={file}")
    assert chosen(parameters("jax", "models.call", *given)) == 1
    assert chosen(parameters("jax", "models.call", "--set", "batch=8", *given)) == 2
    assert chosen(parameters("jax", "models.step", *given)) == 1
    assert chosen(parameters("jax", "tracing.batch", *given)) == 2, "no choice is made for other scenarios"


def test_a_choice_never_exceeds_what_the_run_gives(tmp_path):
    file = tmp_path / "threads.json"
    file.write_text(json.dumps({"models.call 1": 8}))
    assert chosen(parameters("jax", "models.call", "--artifact", f"threads={file}")) == 2


def test_each_column_has_its_own_choice(tmp_path):
    files = []
    for column, threads in (("off", 1), ("on", 2)):
        path = tmp_path / f"{column}.json"
        path.write_text(json.dumps({"models.call 1": threads}))
        files += ["--artifact", f"threads_{column}={path}"]
    assert chosen(parameters("tensorflow", "models.call", "--set", "onednn=off", *files)) == 1
    assert chosen(parameters("tensorflow", "models.call", "--set", "onednn=on", *files)) == 2


def test_the_fastest_turn_counts_and_is_divided_by_its_calls():
    now, calls = [0], [0]

    def call():
        calls[0] += 1
        now[0] += 100_000 if calls[0] > 10 else 900_000  # slow while it warms up

    assert shortest_turn(call, clock=lambda: now[0]) == 100_000
    assert calls[0] > TURNS
    assert SECONDS_PER_TURN * 1e9 == 500_000
