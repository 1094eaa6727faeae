// SPDX-License-Identifier: MIT OR Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import java.util.function.BiConsumer;

public class Inventory {

    private final Map<String, Integer> stock = new HashMap<>();
    private final Map<String, Long> prices = new HashMap<>();
    private final Stack<Runnable> undoers = new Stack<>();
    private final Map<String, BiConsumer<String, String>> commands = new HashMap<>();

    /** A new command is a new line in this table. */
    Inventory() {
        commands.put("add", (name, n) -> store(name, stock.getOrDefault(name, 0) + positive(n)));
        commands.put("take", (name, n) -> store(name, remaining(name, positive(n))));
        commands.put("price", (name, text) -> {
            long cents = parsePrice(text);
            rememberThat(name);
            stock.putIfAbsent(name, 0);
            prices.put(name, cents);
        });
        commands.put("list", (a, b) -> printAll());
        commands.put("low", (n, b) -> printBelow(positive(n)));
        commands.put("total", (a, b) -> printTotal());
        commands.put("top", (a, b) -> System.out.println("best item: " + mostValuable(worths())));
        commands.put("undo", (a, b) -> {
            if (undoers.empty()) {
                throw new IllegalArgumentException("undo: nothing was done");
            }
            undoers.pop().run();
        });
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
        BiConsumer<String, String> command = commands.get(words[0]);
        if (command == null) {
            throw new IllegalArgumentException(words[0] + ": no such command");
        }
        command.accept(words.length > 1 ? words[1] : null, words.length > 2 ? words[2] : null);
    }

    private int positive(String text) {
        if (text == null || !text.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("expected a count, found " + text);
        }
        return Integer.valueOf(text);
    }

    private int remaining(String name, int wanted) {
        if (!stock.containsKey(name)) {
            throw new IllegalArgumentException("we have never had any " + name);
        }
        int rest = stock.get(name) - wanted;
        if (rest < 0) {
            throw new IllegalArgumentException(name + " is short by " + -rest);
        }
        return rest;
    }

    private void store(String name, int count) {
        rememberThat(name);
        stock.put(name, count);
    }

    private void rememberThat(String name) {
        Integer oldCount = stock.get(name);
        Long oldPrice = prices.get(name);
        undoers.push(() -> {
            restore(stock, name, oldCount);
            restore(prices, name, oldPrice);
        });
    }

    private <V> void restore(Map<String, V> map, String name, V value) {
        if (value == null) map.remove(name);
        else map.put(name, value);
    }

    private Map<String, Long> worths() {
        Map<String, Long> worths = new HashMap<>();
        stock.forEach((name, count) -> worths.put(name, count * prices.getOrDefault(name, 0L)));
        return worths;
    }

    private void printAll() {
        String[] sorted = stock.keySet().toArray(new String[0]);
        java.util.Arrays.sort(sorted);
        for (String name : sorted)
            System.out.println(row(name, stock.get(name), euros(prices.getOrDefault(name, 0L))));
    }

    private void printBelow(int limit) {
        StringBuilder out = new StringBuilder("order soon: ");
        stock.keySet().stream().sorted().filter(n -> stock.get(n) < limit).forEach(n -> out.append(n).append(' '));
        if (out.charAt(out.length() - 2) == ':') out.append("none");
        System.out.println(out.toString().strip());
    }

    private void printTotal() {
        long total = 0;
        for (long worth : worths().values()) total += worth;
        System.out.println("everything: " + euros(total));
    }

    private static String euros(long cents) {
        return cents / 100 + "." + cents / 10 % 10 + cents % 10;
    }

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

    // reads a price into cents
    private static long parsePrice(String s) {
        if (s == null) throw new IllegalArgumentException("the price is missing");
        long cents = 0;
        int after = -1;
        for (char c : s.toCharArray()) {
            if (c == '.' && after < 0) {
                after = 0;
            } else if (c >= '0' && c <= '9' && after < 2) {
                cents = cents * 10 + (c - '0');
                if (after >= 0) {
                    after++;
                }
            } else {
                throw new IllegalArgumentException("not a price: " + s);
            }
        }
        for (int missing = Math.max(after, 0); missing < 2; missing++) {
            cents *= 10;
        }
        return cents;
    }
}
