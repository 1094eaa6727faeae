# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starter code for the assignment "Stock room". See TASK.md."""

import sys


class Inventory:
    """What is in the stock room."""

    def execute(self, words):
        """Carry out one command, given as its words. Raise ValueError to refuse it."""
        command = words[0]
        # TODO: the commands of the task sheet.
        raise ValueError(f"unknown command {command}")


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
