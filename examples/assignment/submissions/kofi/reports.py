# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reports: each takes a state and yields the lines to print."""

REPORTS = {}


def report(function):
    """Makes the function a command of the same name."""
    REPORTS[function.__name__] = function
    return function


@report
def low(state, minimum=1):
    yield "nearly gone: " + (" ".join(sorted(n for n in state if state[n].count < minimum)) or "none")


@report
def total(state):
    yield f"in all: {sum((line.count * line.price for line in state.values()), start=0):.2f}"


@report
def top(state):
    ranking = sorted((-line.count * line.price, name) for name, line in state.items())
    if ranking and ranking[0][0] < 0:
        value, name = ranking[0]
        yield f"treasure: {name} {-value}"
    else:
        yield "treasure: none"
