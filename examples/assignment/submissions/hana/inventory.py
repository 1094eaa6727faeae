# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stock room, Hana."""

import sys

import report


class Item:
    """One kind of thing in the stock room; the price is in cents."""

    def __init__(self, count=0, cents=0):
        self.count = count
        self.cents = cents

    @property
    def value(self):
        return self.count * self.cents


class Inventory:
    """What is in the stock room."""

    def __init__(self):
        self.items = {}
        self.undo_stack = []

    def execute(self, words):
        command, *arguments = words
        handlers = {
            "add": (self.add, 2),
            "take": (self.take, 2),
            "price": (self.set_price, 2),
            "list": (self.list, 0),
            "low": (self.low, 1),
            "total": (self.total, 0),
            "top": (self.top, 0),
            "undo": (self.undo, 0),
        }
        if command not in handlers:
            raise ValueError(f"unknown command {command}")
        handler, wanted = handlers[command]
        if len(arguments) != wanted:
            raise ValueError(f"{command} takes {wanted} arguments, not {len(arguments)}")
        handler(*arguments)

    def add(self, name, text):
        count = parse_count(text)
        old = self.items.get(name)
        self.undo_stack.append((name, old))
        if old is None:
            self.items[name] = Item(count)
        else:
            self.items[name] = Item(old.count + count, old.cents)

    def take(self, name, text):
        count = parse_count(text)
        old = self.items.get(name)
        if old is None:
            raise ValueError(f"there is no {name}")
        if old.count < count:
            raise ValueError(f"only {old.count} {name} in stock")
        # Items are never changed in place, so the old one can go onto the stack as it is.
        self.undo_stack.append((name, old))
        self.items[name] = Item(old.count - count, old.cents)

    def set_price(self, name, text):
        cents = parse_price(text)
        old = self.items.get(name)
        self.undo_stack.append((name, old))
        self.items[name] = Item(old.count if old else 0, cents)

    def undo(self):
        if not self.undo_stack:
            raise ValueError("nothing to undo")
        name, old = self.undo_stack.pop()
        if old is None:
            del self.items[name]
        else:
            self.items[name] = old

    def list(self):
        for name in sorted(self.items):
            item = self.items[name]
            print(row(name, item.count, report.money(item.cents)))

    def low(self, text):
        print("low:", report.names_below(self.items, parse_count(text)))

    def total(self):
        print("total:", report.total_value(self.items))

    def top(self):
        print("top:", report.most_valuable(self.items))


def parse_count(text):
    count = int(text)
    if count < 1:
        raise ValueError(f"{text} is not a count")
    return count


def parse_price(text):
    """Cents, from a text such as 3 or 0.5 or 12.25."""
    whole, point, fraction = text.partition(".")
    if not whole.isdigit():
        raise ValueError(f"{text} is not a price")
    if point and not (fraction.isdigit() and len(fraction) <= 2):
        raise ValueError(f"{text} is not a price")
    return int(whole) * 100 + int(fraction.ljust(2, "0"))


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
