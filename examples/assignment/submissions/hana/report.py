# SPDX-License-Identifier: MIT OR Apache-2.0
"""The answers to questions about the stock, as text."""


def money(cents):
    euros, rest = divmod(cents, 100)
    return f"{euros}.{rest:02}"


def names_below(items, minimum):
    names = []
    for name, item in items.items():
        if item.count < minimum:
            names.append(name)
    if not names:
        return "none"
    names.sort()
    return " ".join(names)


def total_value(items):
    return money(sum(item.value for item in items.values()))


def most_valuable(items):
    best_name = None
    best_value = 0
    for name, item in items.items():
        value = item.value
        if value == 0 or value < best_value:
            continue
        # On a tie, the first in the alphabet wins.
        if value > best_value or name < best_name:
            best_name = name
            best_value = value
    if best_name is None:
        return "none"
    return f"{best_name} {money(best_value)}"
