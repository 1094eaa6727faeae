# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stock room, Lena. The grammar of the commands is at the top, the room below it."""

import bisect
import re
import sys

ITEM = r"(?P<item>\S+)"
COUNT = r"(?P<n>[1-9]\d*)"
GRAMMAR = [
    rf"(?P<verb>add|take) {ITEM} {COUNT}",
    rf"(?P<verb>price) {ITEM} (?P<euros>\d+)(\.(?P<cents>\d\d?))?",
    rf"(?P<verb>low) {COUNT}",
    r"(?P<verb>list|total|top|undo)",
]


class Inventory:
    """Three tables side by side, and the way back."""

    def __init__(self):
        self.order = []      # the names, always sorted
        self.stock = {}
        self.cost = {}       # in cents
        self.way_back = []   # functions without arguments

    def execute(self, words):
        sentence = " ".join(words)
        for rule in GRAMMAR:
            if found := re.fullmatch(rule, sentence):
                parts = found.groupdict()
                getattr(self, "do_" + parts.pop("verb"))(**parts)
                return
        raise ValueError(f"cannot make sense of '{sentence}'")

    def introduce(self, item):
        """Make room for the item, unless it is known; return how to undo that."""
        if item in self.stock:
            return lambda: None
        bisect.insort(self.order, item)
        self.stock[item] = self.cost[item] = 0

        def forget():
            self.order.remove(item)
            del self.stock[item], self.cost[item]

        return forget

    def do_add(self, item, n, sign=1):
        forget = self.introduce(item)
        amount = sign * int(n)
        self.stock[item] += amount

        def back():
            self.stock[item] -= amount
            forget()

        self.way_back.append(back)

    def do_take(self, item, n):
        if self.stock.get(item, 0) < int(n):
            raise ValueError(f"so much {item} is not there")
        self.do_add(item, n, sign=-1)

    def do_price(self, item, euros, cents):
        forget = self.introduce(item)
        former = self.cost[item]
        self.cost[item] = int(euros + (cents or "").ljust(2, "0"))

        def back():
            self.cost[item] = former
            forget()

        self.way_back.append(back)

    def do_undo(self):
        try:
            self.way_back.pop()()
        except IndexError:
            raise ValueError("no way back from here") from None

    def do_list(self):
        for item in self.order:
            print(row(item, self.stock[item], self.in_euros(self.cost[item])))

    def do_low(self, n):
        scarce = filter(lambda item: self.stock[item] < int(n), self.order)
        print("scarce:", " ".join(scarce) or "none")

    def do_total(self):
        print("altogether:", self.in_euros(sum(map(self.worth, self.order))))

    def do_top(self):
        # max keeps the first of equals, and the names are sorted.
        winner = max(self.order, key=self.worth, default=None)
        if winner is None or not self.worth(winner):
            print("dearest: none")
        else:
            print("dearest:", winner, self.in_euros(self.worth(winner)))

    def worth(self, item):
        return self.stock[item] * self.cost[item]

    @staticmethod
    def in_euros(cents):
        return re.sub(r"(..)$", r".\1", f"{cents:03d}")


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
