"""Stock room - NOT FINISHED, only add and list work"""

import sys


class Inventory:
    stock = {}

    def execute(self, words):
        if words[0] == "add":
            self.stock[words[1]] = self.stock.get(words[1], 0) + int(words[2])
        elif words[0] == "list":
            for k, v in sorted(self.stock.items()):
                print(k, v)
        else:
            print("TODO", words[0])  # ran out of time, sorry


i = Inventory()
for line in open(sys.argv[1]):
    if line.strip() and line[0] != "#":
        try:
            i.execute(line.split())
        except ValueError:
            print("error")
