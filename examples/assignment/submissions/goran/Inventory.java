// SPDX-License-Identifier: MIT OR Apache-2.0
// Stock room, Goran

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

public class Inventory {

    /** One shelf of the stock room, sorted by what lies on it. */
    private static class Shelf implements Comparable<Shelf> {
        private final String item;
        private int pieces = 0;
        private String euros = "0";
        private String cents = "00";

        Shelf(String item) {
            this.item = item;
        }

        @Override
        public int compareTo(Shelf other) {
            return item.compareTo(other.item);
        }

        int priceInCents() {
            return Integer.parseInt(euros + cents);
        }
    }

    private List<Shelf> room = new ArrayList<>();

    /** Every command that was carried out so far. */
    private final List<String[]> done = new ArrayList<>();

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
        int arguments = words.length - 1;
        if (words[0].equals("list") && arguments == 0) {
            Collections.sort(room);
            for (Shelf shelf : room) {
                System.out.println(row(shelf.item, shelf.pieces, shelf.euros + "." + shelf.cents));
            }
        } else if (words[0].equals("total") && arguments == 0) {
            printTotal();
        } else if (words[0].equals("top") && arguments == 0) {
            printTop();
        } else if (words[0].equals("undo") && arguments == 0) {
            undo();
        } else if (words[0].equals("low") && arguments == 1) {
            printLow(Integer.parseInt(words[1]));
        } else if (words[0].equals("add") && arguments == 2) {
            int more = Integer.parseInt(words[2]);
            check(more > 0, "cannot add " + more);
            shelf(words[1], true).pieces += more;
            done.add(words);
        } else if (words[0].equals("take") && arguments == 2) {
            int fewer = Integer.parseInt(words[2]);
            Shelf shelf = shelf(words[1], false);
            check(fewer > 0, "cannot take " + fewer);
            check(shelf != null, "there is no shelf for " + words[1]);
            check(shelf.pieces >= fewer, "there are not that many on the shelf");
            shelf.pieces -= fewer;
            done.add(words);
        } else if (words[0].equals("price") && arguments == 2) {
            setPrice(words[1], words[2]);
            done.add(words);
        } else {
            throw new IllegalArgumentException("cannot read this: " + String.join(" ", words));
        }
    }

    /** Clears the room and does everything again but the last command. */
    private void undo() {
        check(!done.isEmpty(), "nothing was done yet");
        List<String[]> again = new ArrayList<>(done.subList(0, done.size() - 1));
        done.clear();
        room = new ArrayList<>();
        again.forEach(this::execute);
    }

    private void printTop() {
        Shelf best = room.stream()
            .max(Comparator.comparingInt((Shelf s) -> s.pieces * s.priceInCents())
                .thenComparing(Comparator.reverseOrder()))
            .orElse(new Shelf("none"));
        int worth = best.pieces * best.priceInCents();
        System.out.println("top: " + (worth == 0 ? "none" : best.item + String.format(Locale.ROOT, " %.2f", worth / 100.0)));
    }

    private void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private Shelf shelf(String item, boolean create) {
        for (Shelf shelf : room) {
            if (shelf.item.equals(item)) {
                return shelf;
            }
        }
        if (!create) {
            return null;
        }
        Shelf fresh = new Shelf(item);
        room.add(fresh);
        return fresh;
    }

    private void setPrice(String item, String price) {
        String[] parts = price.split("\\.");
        check(parts.length == 1 || parts.length == 2, "only one point: " + price);
        for (String part : parts) {
            check(!part.isEmpty() && part.chars().allMatch(Character::isDigit), "not a price: " + price);
        }
        String fraction = parts.length == 2 ? parts[1] : "";
        check(fraction.length() <= 2, "too many digits: " + price);
        while (fraction.length() < 2) {
            fraction += "0";
        }
        Shelf shelf = shelf(item, true);
        shelf.euros = parts[0];
        shelf.cents = fraction;
    }

    private void printTotal() {
        int sum = room.stream().mapToInt(shelf -> shelf.pieces * shelf.priceInCents()).sum();
        System.out.println("total: " + String.format(Locale.ROOT, "%.2f", sum / 100.0));
    }

    private void printLow(int minimum) {
        List<String> items = new ArrayList<>();
        for (Shelf shelf : room) {
            if (shelf.pieces < minimum) {
                items.add(shelf.item);
            }
        }
        items.sort(Comparator.naturalOrder());
        System.out.println("low: " + (items.isEmpty() ? "none" : String.join(" ", items)));
    }
}
