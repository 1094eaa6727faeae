# ======================================================================
#   STOCK ROOM MANAGEMENT SYSTEM                          version 1.0
#   Module: calculations
# ======================================================================
"""The calculations of the stock room management system."""


def money(cents):
    """Convert a price into a text which people can read."""
    # One hundred cents are one euro.
    euros, rest = divmod(cents, 100)
    # The second number always has two digits.
    return f"{euros}.{rest:02}"


def names_below(items, minimum):
    """Search all articles of which there are too few."""
    # The list of results, which is empty at the beginning.
    names = []
    # Look at each article.
    for name, item in items.items():
        # Compare with the minimum.
        if item.count < minimum:
            names.append(name)
    # Maybe nothing has been found.
    if not names:
        return "none"
    # The task wants them in alphabetical order.
    names.sort()
    return " ".join(names)


def total_value(items):
    """Calculate the value of all articles together."""
    return money(sum(item.value for item in items.values()))


def most_valuable(items):
    """Search the article with the highest value.

    This is a classical search for a maximum. The variable best_name contains
    the best article up to now, and the variable best_value contains its value.
    """
    best_name = None  # no article yet
    best_value = 0  # no value yet
    for name, item in items.items():
        # Store the value, so that it is calculated only once.
        value = item.value
        # Worthless articles and worse articles are skipped.
        if value == 0 or value < best_value:
            continue
        # A new maximum, or the same maximum with a better name.
        if value > best_value or name < best_name:
            best_name = name
            best_value = value
    # The loop is over. Was there any article?
    if best_name is None:
        return "none"
    # Yes, there was.
    return f"{best_name} {money(best_value)}"
