# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stock room, Kofi: a state never changes, a command makes a new one."""

import sys
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import reports


class Line(NamedTuple):
    """How much there is of an item, and what one of it costs."""

    count: int = 0
    price: Decimal = Decimal("0.00")


class Inventory:
    """Every state the room has been in; the last one is now."""

    def __init__(self):
        self.states = [{}]

    def execute(self, words):
        verb = words[0]
        now = self.states[-1]
        if verb == "undo":
            if len(self.states) == 1:
                raise ValueError("already at the beginning")
            self.states.pop()
        elif verb in reports.REPORTS:
            for text in reports.REPORTS[verb](now, *numbers(words[1:])):
                print(text)
        elif verb in CHANGES:
            _, name, amount = words
            line = CHANGES[verb](now.get(name, Line()), amount)
            self.states.append({**now, name: line})
        else:
            raise ValueError(f"{verb} means nothing to me")


def more(line, amount):
    (n,) = numbers([amount])
    return line._replace(count=line.count + n)


def fewer(line, amount):
    (n,) = numbers([amount])
    if n > line.count:
        raise ValueError(f"{n} wanted, {line.count} there")
    return line._replace(count=line.count - n)


def worth(line, amount):
    try:
        price = Decimal(amount)
        exact = price.quantize(Decimal("0.01"))
    except InvalidOperation:
        raise ValueError(f"strange price {amount}") from None
    if price != exact or not amount[0].isdigit():
        raise ValueError(f"strange price {amount}")
    return line._replace(price=exact)


CHANGES = {"add": more, "take": fewer, "price": worth}


@reports.report
def list(state):
    yield from (row(name, line.count, str(line.price)) for name, line in sorted(state.items()))


def numbers(words):
    """The words as counts; zero and less are refused."""
    found = [int(word) for word in words]
    if any(n <= 0 for n in found):
        raise ValueError("counts begin at 1")
    return found


def row(item, count, price):
    """One line of the listing; the price is already text, such as 0.15."""
    return f"{item:<12} {count:>6} {price:>10}"


def open_input(arguments):
    """The file named on the command line, or standard input."""
    if len(arguments) > 1:
        return open(arguments[1], encoding="utf-8")
    return sys.stdin


def main(arguments):
    inventory = Inventory()
    with open_input(arguments) as lines:
        for number, line in enumerate(lines, start=1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            try:
                inventory.execute(line.split())
            except ValueError as error:
                print(f"line {number}: {error}")


if __name__ == "__main__":
    main(sys.argv)
