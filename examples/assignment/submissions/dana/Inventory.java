// SPDX-License-Identifier: MIT OR Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The stock room as a journal: the program stores no stock at all, only what happened, and works out the rest when
 * somebody asks. Undo is then the removal of the last entry.
 */
public class Inventory {

    private enum Kind { DELIVERY, PRICE }

    /** A delivery of `amount` pieces, negative if they went out; or a new price of `amount` cents. */
    private record Entry(Kind kind, String item, long amount) {
        boolean concerns(Kind wanted, String name) {
            return kind == wanted && item.equals(name);
        }
    }

    private final List<Entry> journal = new ArrayList<>();

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

    void execute(String[] words) {
        String item = words.length > 1 ? words[1] : "";
        String last = words[words.length - 1];
        checkLength(words);
        switch (words[0]) {
            case "add" -> journal.add(new Entry(Kind.DELIVERY, item, wholeNumber(last)));
            case "take" -> {
                long wanted = wholeNumber(last);
                if (wanted > stockOf(item)) {
                    throw new IllegalArgumentException("cannot take " + wanted + " " + item + ", have " + stockOf(item));
                }
                journal.add(new Entry(Kind.DELIVERY, item, -wanted));
            }
            case "price" -> journal.add(new Entry(Kind.PRICE, item, parsePrice(last)));
            case "undo" -> {
                if (journal.isEmpty()) {
                    throw new IllegalArgumentException("the journal is empty");
                }
                journal.remove(journal.size() - 1);
            }
            case "list" -> names().forEach(
                name -> System.out.println(row(name, (int) stockOf(name), euros(priceOf(name)))));
            case "low" -> {
                long minimum = wholeNumber(last);
                String found = names().stream()
                    .filter(name -> stockOf(name) < minimum)
                    .collect(Collectors.joining(" "));
                System.out.println("running out: " + (found.isEmpty() ? "none" : found));
            }
            case "total" -> System.out.println(
                "total: " + euros(values().values().stream().mapToLong(Long::longValue).sum()));
            case "top" -> System.out.println("top: " + mostValuable(values()));
            default -> throw new IllegalArgumentException("no such command: " + words[0]);
        }
    }

    private static void checkLength(String[] words) {
        int expected = switch (words[0]) {
            case "add", "take", "price" -> 3;
            case "low" -> 2;
            default -> 1;
        };
        if (words.length < expected) {
            throw new IllegalArgumentException(words[0] + " is incomplete");
        }
    }

    private SortedSet<String> names() {
        return journal.stream().map(Entry::item).collect(Collectors.toCollection(TreeSet::new));
    }

    private long stockOf(String name) {
        return journal.stream().filter(e -> e.concerns(Kind.DELIVERY, name)).mapToLong(Entry::amount).sum();
    }

    /** The newest price in the journal, in cents. */
    private long priceOf(String name) {
        return journal.stream()
            .filter(e -> e.concerns(Kind.PRICE, name))
            .reduce((older, newer) -> newer)
            .map(Entry::amount)
            .orElse(0L);
    }

    private Map<String, Long> values() {
        Map<String, Long> values = new HashMap<>();
        names().forEach(name -> values.put(name, stockOf(name) * priceOf(name)));
        return values;
    }

    /** The name with the greatest value, and the value; the first in the alphabet if several share it. */
    private static String mostValuable(Map<String, Long> values) {
        String winner = "";
        long record = 0;
        for (String name : values.keySet()) {
            long value = values.get(name);
            boolean better = value > record;
            boolean sameButEarlier = value == record && record > 0 && name.compareTo(winner) < 0;
            if (better || sameButEarlier) {
                winner = name;
                record = value;
            }
        }
        if (record == 0) {
            return "none";
        }
        return winner + " " + euros(record);
    }

    private static long wholeNumber(String text) {
        if (!text.chars().allMatch(Character::isDigit) || text.length() > 9 || Long.parseLong(text) == 0) {
            throw new IllegalArgumentException("not a count: " + text);
        }
        return Long.parseLong(text);
    }

    /** Reads digits, and at most two of them after the point; the answer is in cents. */
    private static long parsePrice(String text) {
        long cents = 0;
        int digitsAfterPoint = -1;
        for (char c : text.toCharArray()) {
            if (c == '.' && digitsAfterPoint < 0) {
                digitsAfterPoint = 0;
            } else if (c >= '0' && c <= '9' && digitsAfterPoint < 2) {
                cents = cents * 10 + (c - '0');
                if (digitsAfterPoint >= 0) {
                    digitsAfterPoint++;
                }
            } else {
                throw new IllegalArgumentException("not a price: " + text);
            }
        }
        for (int missing = Math.max(digitsAfterPoint, 0); missing < 2; missing++) {
            cents *= 10;
        }
        return cents;
    }

    private static String euros(long cents) {
        String digits = String.format(Locale.ROOT, "%03d", cents);
        int point = digits.length() - 2;
        return digits.substring(0, point) + "." + digits.substring(point);
    }
}
