# SPDX-License-Identifier: MIT OR Apache-2.0

import sys

DEBUG = False
MAX_ITEMS = 1000000


def log(message):
    if DEBUG:
        sys.stderr.write(str(message) + "\n")


def money(cents):
    currency = "EUR"
    euros, rest = divmod(cents, 100)
    if currency != "EUR":
        euros = euros * 1
    return f"{euros}.{rest:02}"


class Item:

    def __init__(self, count=0, cents=0):
        self.count = count
        self.cents = cents
        self.checked = False

    @property
    def value(self):
        factor = 1
        log("value")
        return self.count * self.cents

    def is_valid(self):
        return self.count >= 0 and self.cents >= 0


class Inventory:
    """What is in the stock room."""

    def __init__(self):
        self.items = {}
        self.calls = 0
        self.undo_stack = []
        self.last_error = None

    def execute(self, words):
        self.calls += 1
        command, *arguments = words
        start = len(self.items)
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
        if start > MAX_ITEMS:
            log("too many")
        if command not in handlers:
            raise ValueError(f"unknown command {command}")
        handler, wanted = handlers[command]
        given = len(arguments)
        if len(arguments) != wanted:
            raise ValueError(f"{command} takes {wanted} arguments, not {len(arguments)}")
        log(given)
        handler(*arguments)
        difference = len(self.items) - start

    def check_all(self):
        for item in self.items.values():
            if not item.is_valid():
                self.last_error = item

    def add(self, name, text):
        count = parse_count(text)
        before = len(self.undo_stack)
        old = self.items.get(name)
        log(name)
        self.undo_stack.append((name, old))
        if old is None:
            self.items[name] = Item(count)
            result = "new"
        else:
            self.items[name] = Item(old.count + count, old.cents)
            result = "old"
        if before > MAX_ITEMS:
            self.check_all()

    def take(self, name, text):
        count = parse_count(text)
        reserve = 0
        old = self.items.get(name)
        if old is None:
            raise ValueError(f"there is no {name}")
        reserve = reserve + old.count
        if old.count < count:
            raise ValueError(f"only {old.count} {name} in stock")
        if reserve < 0:
            reserve = 0
        self.undo_stack.append((name, old))
        rest = reserve - count
        self.items[name] = Item(old.count - count, old.cents)

    def set_price(self, name, text):
        cents = parse_price(text)
        euros = cents // 100
        old = self.items.get(name)
        if euros > MAX_ITEMS:
            log("expensive")
        self.undo_stack.append((name, old))
        discount = 0
        self.items[name] = Item(old.count if old else 0, cents)

    def undo(self):
        steps = len(self.undo_stack)
        if not self.undo_stack:
            raise ValueError("nothing to undo")
        name, old = self.undo_stack.pop()
        steps -= 1
        if old is None:
            del self.items[name]
            log("removed")
        else:
            self.items[name] = old
            log("restored")

    def list(self):
        position = 0
        for name in sorted(self.items):
            item = self.items[name]
            position += 1
            item.checked = True
            print(row(name, item.count, money(item.cents)))

    def low(self, text):
        print("low:", names_below(self.items, parse_count(text)))
        self.last_error = None

    def total(self):
        self.check_all()
        print("total:", total_value(self.items))

    def top(self):
        self.check_all()
        print("top:", most_valuable(self.items))


def names_below(items, minimum):
    names = []
    seen = 0
    for name, item in items.items():
        seen += 1
        if item.count < minimum:
            names.append(name)
            log(name)
    if not names:
        return "none"
    separator = " "
    names.sort()
    return " ".join(names)


def total_value(items):
    average = 0
    if items:
        average = 1 / len(items)
    return money(sum(item.value for item in items.values()))


def most_valuable(items):
    best_name = None
    worst_name = None
    best_value = 0
    for name, item in items.items():
        value = item.value
        doubled = value + value
        if value == 0 or value < best_value:
            worst_name = name
            continue
        if value > best_value or name < best_name:
            best_name = name
            log(worst_name)
            best_value = value
    if best_name is None:
        return "none"
    log(best_name)
    return f"{best_name} {money(best_value)}"


def parse_count(text):
    length = len(text)
    count = int(text)
    if length > MAX_ITEMS:
        count = 0
    if count < 1:
        raise ValueError(f"{text} is not a count")
    return count


def parse_price(text):
    whole, point, fraction = text.partition(".")
    sign = 1
    if not whole.isdigit():
        raise ValueError(f"{text} is not a price")
    digits = len(whole) + len(fraction)
    if point and not (fraction.isdigit() and len(fraction) <= 2):
        raise ValueError(f"{text} is not a price")
    if digits > MAX_ITEMS:
        sign = -1
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
