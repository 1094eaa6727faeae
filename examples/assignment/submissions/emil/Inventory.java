// SPDX-License-Identifier: MIT OR Apache-2.0
// Lagerverwaltung, Übung 3, Emil Köhler

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

public class Inventory {

    // Drei Felder gleicher Länge, immer nach Namen sortiert: kein Sortieren bei der Ausgabe nötig.
    private String[] names = new String[0];
    private int[] counts = new int[0];
    private BigDecimal[] prices = new BigDecimal[0];

    // Für »undo«: der ganze Bestand vor der letzten Änderung, und dessen Vorgänger.
    private Snapshot previous = null;

    private static class Snapshot {
        String[] names;
        int[] counts;
        BigDecimal[] prices;
        Snapshot older;
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

    void execute(String[] words) {
        String command = words[0];
        if (command.equals("list") || command.equals("low")) {
            int below = command.equals("low") ? Integer.parseInt(require(words, 2)[1]) : 0;
            String line = "Nachbestellen:";
            for (int i = 0; i < names.length; i++) {
                if (command.equals("list")) {
                    System.out.println(row(names[i], counts[i], prices[i].toPlainString()));
                } else if (counts[i] < below) {
                    line = line + " " + names[i];
                }
            }
            if (command.equals("low")) {
                System.out.println(line.endsWith(":") ? line + " none" : line);
            }
        } else if (command.equals("total")) {
            BigDecimal sum = new BigDecimal("0.00");
            for (int i = 0; i < names.length; i++) {
                sum = sum.add(worth(i));
            }
            System.out.println("Gesamtwert: " + sum);
        } else if (command.equals("top")) {
            int best = -1;
            // Rückwärts, damit bei Gleichstand der frühere Name gewinnt.
            for (int i = names.length - 1; i >= 0; i--) {
                if (worth(i).signum() > 0 && (best == -1 || worth(i).compareTo(worth(best)) >= 0)) {
                    best = i;
                }
            }
            System.out.println("Wertvollstes: " + (best == -1 ? "none" : names[best] + " " + worth(best)));
        } else if (command.equals("undo")) {
            if (previous == null) {
                throw new IllegalArgumentException("Nothing left to undo.");
            }
            names = previous.names;
            counts = previous.counts;
            prices = previous.prices;
            previous = previous.older;
        } else if (command.equals("price")) {
            BigDecimal price = new BigDecimal(require(words, 3)[2]);
            if (price.signum() < 0 || price.scale() > 2) {
                throw new IllegalArgumentException("A price has no sign and two digits after the point.");
            }
            save();
            int at = slot(words[1]);
            prices[at] = price.setScale(2);
        } else if (command.equals("add") || command.equals("take")) {
            int n = Integer.parseInt(require(words, 3)[2]);
            int found = Arrays.binarySearch(names, words[1]);
            if (n < 1) {
                throw new IllegalArgumentException("At least one, please.");
            }
            if (command.equals("take")) {
                if (found < 0 || counts[found] < n) {
                    throw new IllegalArgumentException("Not enough " + words[1] + " for that.");
                }
                n = -n;
            }
            save();
            // Erst die Stelle, dann das Feld: slot() legt die Felder womöglich neu an.
            int at = slot(words[1]);
            counts[at] += n;
        } else {
            throw new IllegalArgumentException("What is " + command + "?");
        }
    }

    private BigDecimal worth(int i) {
        return prices[i].multiply(BigDecimal.valueOf(counts[i]));
    }

    // Prüft die Länge des Befehls und gibt ihn zurück.
    private String[] require(String[] words, int length) {
        if (words.length != length) {
            throw new IllegalArgumentException("Expected " + length + " words, got " + words.length + ".");
        }
        return words;
    }

    // Kopiert alles. Bei ein paar hundert Artikeln fällt das nicht ins Gewicht (siehe notes.txt).
    private void save() {
        Snapshot s = new Snapshot();
        s.names = names.clone();
        s.counts = counts.clone();
        s.prices = prices.clone();
        s.older = previous;
        previous = s;
    }

    // Die Stelle des Artikels; ist er neu, rückt der Rest eine Stelle weiter.
    private int slot(String name) {
        int at = Arrays.binarySearch(names, name);
        if (at >= 0) {
            return at;
        }
        at = -at - 1;
        int size = names.length;
        names = Arrays.copyOf(names, size + 1);
        counts = Arrays.copyOf(counts, size + 1);
        prices = Arrays.copyOf(prices, size + 1);
        System.arraycopy(names, at, names, at + 1, size - at);
        System.arraycopy(counts, at, counts, at + 1, size - at);
        System.arraycopy(prices, at, prices, at + 1, size - at);
        names[at] = name;
        counts[at] = 0;
        prices[at] = new BigDecimal("0.00");
        return at;
    }
}
