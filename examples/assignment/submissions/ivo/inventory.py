# ======================================================================
#   STOCK ROOM MANAGEMENT SYSTEM                          version 1.0
#   Author: Ivo
#
#   This program manages the stock of a workshop. It was developed in
#   several steps: first the data model, then the commands, then the
#   reports, and at last the history of all changes.
# ======================================================================
"""The main module of the stock room management system.

It contains the data model, the commands which change the data, the commands
which only look at the data, and the entry point of the program.
"""

# System library, needed for the command line.
import sys

# My own module with the calculations.
import report


class Item:
    """The data model of an article.

    An article has two attributes: the quantity on hand, and the price of one
    piece. The price is stored in the smallest unit of the currency in order to
    prevent errors by rounding, which are a well known problem of floating
    point numbers.
    """

    def __init__(self, count=0, cents=0):
        """Create a new article.

        Parameters:
            count: the quantity on hand
            cents: the price of one piece
        """
        self.count = count  # the quantity
        self.cents = cents  # the price

    @property
    def value(self):
        """Calculate the value of the article: quantity multiplied by price."""
        return self.count * self.cents


class Inventory:
    """The heart of the system.

    All articles live in a dictionary, because the access to a dictionary is
    very fast. All changes live in a list which is used as a stack.
    """

    def __init__(self):
        """Create an empty stock room."""
        # The articles. The key is the name of the article.
        self.items = {}
        # The history. The newest change is at the end.
        self.undo_stack = []

    def execute(self, words):
        """Carry out a command of the clerk.

        The first word selects the command and the other words are passed on.
        I have decided to use a table here instead of many if statements. This
        has the advantage that it is easy to extend.
        """
        # Split the first word off.
        command, *arguments = words
        # The table. On the left there is the name, on the right there is the
        # method and the number of arguments that the method expects.
        handlers = {
            # Commands which change the stock.
            "add": (self.add, 2),
            "take": (self.take, 2),
            "price": (self.set_price, 2),
            # Commands which print something.
            "list": (self.list, 0),
            "low": (self.low, 1),
            "total": (self.total, 0),
            "top": (self.top, 0),
            # The history.
            "undo": (self.undo, 0),
        }
        # Is the command in the table at all?
        if command not in handlers:
            raise ValueError(f"unknown command {command}")
        # Yes, it is. Look it up.
        handler, wanted = handlers[command]
        # Compare the number of arguments.
        if len(arguments) != wanted:
            raise ValueError(f"{command} takes {wanted} arguments, not {len(arguments)}")
        # Everything is fine, so call the method.
        handler(*arguments)

    def add(self, name, text):
        """Handle the arrival of goods."""
        # First, the text must become a number.
        count = parse_count(text)
        # Second, look whether we already know the article.
        old = self.items.get(name)
        # Third, write the history.
        self.undo_stack.append((name, old))
        # Fourth, make the change.
        if old is None:
            # A new article.
            self.items[name] = Item(count)
        else:
            # A known article: the quantities are summed up.
            self.items[name] = Item(old.count + count, old.cents)

    def take(self, name, text):
        """Handle the removal of goods.

        This is more difficult than the arrival since it can fail in two ways:
        the article may be unknown, or there may be too little of it.
        """
        # The text must become a number here too.
        count = parse_count(text)
        old = self.items.get(name)
        # Failure number one.
        if old is None:
            raise ValueError(f"there is no {name}")
        # Failure number two.
        if old.count < count:
            raise ValueError(f"only {old.count} {name} in stock")
        # Only now we are allowed to write the history.
        self.undo_stack.append((name, old))
        # The price remains the same.
        self.items[name] = Item(old.count - count, old.cents)

    def set_price(self, name, text):
        """Handle a new price."""
        # Convert the price.
        cents = parse_price(text)
        # Write the history.
        old = self.items.get(name)
        self.undo_stack.append((name, old))
        # An unknown article gets the quantity zero.
        self.items[name] = Item(old.count if old else 0, cents)

    def undo(self):
        """Go back in the history by one step."""
        # Is there a history?
        if not self.undo_stack:
            raise ValueError("nothing to undo")
        # Take the newest change from the end of the list.
        name, old = self.undo_stack.pop()
        # None means that the article was new.
        if old is None:
            del self.items[name]
        # Otherwise we put back what there was.
        else:
            self.items[name] = old

    def list(self):
        """Print all articles in alphabetical order."""
        for name in sorted(self.items):
            # One article is one line.
            item = self.items[name]
            print(row(name, item.count, report.money(item.cents)))

    def low(self, text):
        """Print the articles which have to be ordered."""
        print("low:", report.names_below(self.items, parse_count(text)))

    def total(self):
        """Print the value of everything."""
        print("total:", report.total_value(self.items))

    def top(self):
        """Print the article with the highest value."""
        print("top:", report.most_valuable(self.items))


def parse_count(text):
    """Convert a text into a quantity.

    The function int does most of the work. It raises a ValueError by itself
    if the text is not a number, therefore only one check is left for us.
    """
    count = int(text)
    # Zero and negative numbers make no sense.
    if count < 1:
        raise ValueError(f"{text} is not a count")
    return count


def parse_price(text):
    """Convert a text into a price."""
    # The method partition cuts a text into three pieces.
    whole, point, fraction = text.partition(".")
    # Check the piece in front of the point.
    if not whole.isdigit():
        raise ValueError(f"{text} is not a price")
    # Check the piece behind the point, but only if there is a point.
    if point and not (fraction.isdigit() and len(fraction) <= 2):
        raise ValueError(f"{text} is not a price")
    # Put both pieces together.
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
