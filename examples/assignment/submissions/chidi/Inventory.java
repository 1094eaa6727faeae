// SPDX-License-Identifier: MIT OR Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

public class Inventory {

    private final Deque<Change> changes = new ArrayDeque<>();
    private final TreeMap<String, Item> items = new TreeMap<>();

    private static String money(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }

    private static long parseCents(String text) {
        if (!text.matches("\\d+(\\.\\d{1,2})?")) {
            throw new IllegalArgumentException(text + " is not a price");
        }
        int point = text.indexOf('.');
        if (point < 0) {
            return Long.parseLong(text) * 100;
        }
        String fraction = text.substring(point + 1);
        if (fraction.length() == 1) {
            fraction += "0";
        }
        return Long.parseLong(fraction) + Long.parseLong(text.substring(0, point)) * 100;
    }

    private static String word(String[] words, int index) {
        if (index >= words.length) {
            throw new IllegalArgumentException(words[0] + " needs " + index + " more words");
        }
        return words[index];
    }

    private static int parseCount(String text) {
        int count;
        try {
            count = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " is not a number");
        }
        if (count <= 0) {
            throw new IllegalArgumentException("a count must be above zero");
        }
        return count;
    }

    private void undo() {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("nothing to undo");
        }
        Change last = changes.pop();
        if (last.before != null) {
            items.put(last.name, last.before);
        } else {
            items.remove(last.name);
        }
    }

    // Keep a copy for undo.
    private Item change(String name) {
        Item item = items.get(name);
        if (item != null) {
            changes.push(new Change(name, new Item(item.count, item.cents)));
        } else {
            changes.push(new Change(name, null));
            item = new Item(0, 0);
            items.put(name, item);
        }
        return item;
    }

    private void price(String name, long cents) {
        change(name).cents = cents;
    }

    private void take(String name, int count) {
        Item present = items.get(name);
        int available = present == null ? 0 : present.count;
        if (available < count) {
            throw new IllegalArgumentException("only " + available + " " + name + " in stock");
        }
        change(name).count -= count;
    }

    private void add(String name, int count) {
        Item item = change(name);
        item.count += count;
    }

    // The reports.

    private void top() {
        long most = 0;
        String best = null;
        for (Map.Entry<String, Item> entry : items.entrySet()) {
            if (entry.getValue().value() > most) {
                most = entry.getValue().value();
                best = entry.getKey();
            }
        }
        System.out.println(best == null ? "top: none" : "top: " + best + " " + money(most));
    }

    private void total() {
        long sum = 0;
        for (Item item : items.values()) {
            sum += item.value();
        }
        System.out.println("total: " + money(sum));
    }

    private void low(int minimum) {
        StringBuilder names = new StringBuilder();
        for (Map.Entry<String, Item> entry : items.entrySet()) {
            if (entry.getValue().count < minimum) {
                names.append(' ').append(entry.getKey());
            }
        }
        System.out.println("low:" + (names.length() == 0 ? " none" : names));
    }

    private void list() {
        for (Map.Entry<String, Item> entry : items.entrySet()) {
            Item item = entry.getValue();
            System.out.println(row(entry.getKey(), item.count, money(item.cents)));
        }
    }

    void execute(String[] words) {
        switch (words[0]) {
            case "undo":
                undo();
                break;
            case "list":
                list();
                break;
            case "top":
                top();
                break;
            case "total":
                total();
                break;
            case "low":
                low(parseCount(word(words, 1)));
                break;
            case "price":
                price(word(words, 1), parseCents(word(words, 2)));
                break;
            case "take":
                take(word(words, 1), parseCount(word(words, 2)));
                break;
            case "add":
                add(word(words, 1), parseCount(word(words, 2)));
                break;
            default:
                throw new IllegalArgumentException("unknown command " + words[0]);
        }
    }

    public static void main(String[] args) throws IOException {
        Inventory inventory = new Inventory();
        try (BufferedReader input = open(args)) {
            int number = 0;
            String line;
            while ((line = input.readLine()) != null) {
                number++;
                line = line.strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                try {
                    inventory.execute(line.split("\\s+"));
                } catch (IllegalArgumentException e) {
                    System.out.println("line " + number + ": " + e.getMessage());
                }
            }
        }
    }

    private static BufferedReader open(String[] args) throws IOException {
        if (args.length > 0) {
            return Files.newBufferedReader(Path.of(args[0]));
        }
        return new BufferedReader(new InputStreamReader(System.in));
    }

    /** One line of the listing; the price is already text, such as 0.15. */
    static String row(String item, int count, String price) {
        return String.format(Locale.ROOT, "%-12s %6d %10s", item, count, price);
    }

    private static class Change {
        final Item before;
        final String name;

        Change(String name, Item before) {
            this.before = before;
            this.name = name;
        }
    }

    static class Item {
        long cents;
        int count;

        Item(int count, long cents) {
            this.cents = cents;
            this.count = count;
        }

        long value() {
            return count * cents;
        }
    }
}
