# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tool store, Rosa. Last year's sheet: add, take, price, list, low and total."""

import sqlite3
import sys


class Inventory:
    """Tools in a small database. It is in memory, but a file name would do as well."""

    def __init__(self):
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE TABLE tool (name TEXT PRIMARY KEY, pieces INT DEFAULT 0, cents INT DEFAULT 0)")

    def execute(self, words):
        match words:
            case ["add", tool, n] if n.isdigit() and n != "0":
                self.hang_up(tool)
                self.db.execute("UPDATE tool SET pieces = pieces + ? WHERE name = ?", (int(n), tool))
            case ["take", tool, n] if n.isdigit() and n != "0":
                query = "UPDATE tool SET pieces = pieces - ?1 WHERE name = ?2 AND pieces >= ?1"
                if self.db.execute(query, (int(n), tool)).rowcount == 0:
                    raise ValueError(f"the store cannot spare {n} {tool}")
            case ["price", tool, price]:
                euros, _, rest = price.partition(".")
                if not (euros + rest).isdigit() or len(rest) > 2:
                    raise ValueError(f"odd price {price}")
                self.hang_up(tool)
                self.db.execute("UPDATE tool SET cents = ? WHERE name = ?", (int(f"{euros}{rest:<02}"), tool))
            case ["list"]:
                query = "SELECT name, pieces, printf('%d.%02d', cents / 100, cents % 100) FROM tool ORDER BY name"
                for line in self.db.execute(query):
                    print(row(*line))
            case ["low", limit]:
                query = "SELECT name FROM tool WHERE pieces < ? ORDER BY name"
                print("low:", *[name for name, in self.db.execute(query, (limit,))] or ["none"])
            case ["total"]:
                (cents,) = self.db.execute("SELECT total(pieces * cents) FROM tool").fetchone()
                print(f"total: {cents / 100:.2f}")
            case _:
                raise ValueError("I cannot do that: " + " ".join(words))

    def hang_up(self, tool):
        """Makes sure that there is a row for the tool."""
        self.db.execute("INSERT OR IGNORE INTO tool (name) VALUES (?)", (tool,))


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
