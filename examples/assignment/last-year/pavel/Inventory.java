// SPDX-License-Identifier: MIT OR Apache-2.0
// Tool store, Pavel. (Last year's sheet had no "top" and no "undo".)

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

    /** A tool on its peg. Pegs are compared by the name of the tool. */
    private static class Peg implements Comparable<Peg> {
        private final String tool;
        private int pieces = 0;
        private String euros = "0";
        private String cents = "00";

        Peg(String tool) {
            this.tool = tool;
        }

        @Override
        public int compareTo(Peg other) {
            return tool.compareTo(other.tool);
        }

        int priceInCents() {
            return Integer.parseInt(euros + cents);
        }
    }

    private final List<Peg> wall = new ArrayList<>();

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
            Collections.sort(wall);
            for (Peg peg : wall) {
                System.out.println(row(peg.tool, peg.pieces, peg.euros + "." + peg.cents));
            }
        } else if (words[0].equals("total") && arguments == 0) {
            printTotal();
        } else if (words[0].equals("low") && arguments == 1) {
            printLow(Integer.parseInt(words[1]));
        } else if (words[0].equals("add") && arguments == 2) {
            int more = Integer.parseInt(words[2]);
            check(more > 0, "cannot add " + more);
            peg(words[1], true).pieces += more;
        } else if (words[0].equals("take") && arguments == 2) {
            int fewer = Integer.parseInt(words[2]);
            Peg peg = peg(words[1], false);
            check(fewer > 0, "cannot take " + fewer);
            check(peg != null, "there is no peg for " + words[1]);
            check(peg.pieces >= fewer, "there are not that many on the peg");
            peg.pieces -= fewer;
        } else if (words[0].equals("price") && arguments == 2) {
            setPrice(words[1], words[2]);
        } else {
            throw new IllegalArgumentException("cannot read this: " + String.join(" ", words));
        }
    }

    private void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** The peg of this tool, hung up first if it is wanted and not there. */
    private Peg peg(String tool, boolean hangUp) {
        for (Peg peg : wall) {
            if (peg.tool.equals(tool)) {
                return peg;
            }
        }
        if (!hangUp) {
            return null;
        }
        Peg fresh = new Peg(tool);
        wall.add(fresh);
        return fresh;
    }

    private void setPrice(String tool, String price) {
        String[] parts = price.split("\\.");
        check(parts.length == 1 || parts.length == 2, "one point is enough: " + price);
        for (String part : parts) {
            check(!part.isEmpty() && part.chars().allMatch(Character::isDigit), "not a price: " + price);
        }
        String behind = parts.length == 2 ? parts[1] : "";
        check(behind.length() <= 2, "there is nothing smaller than a cent: " + price);
        while (behind.length() < 2) {
            behind += "0";
        }
        Peg peg = peg(tool, true);
        peg.euros = parts[0];
        peg.cents = behind;
    }

    private void printTotal() {
        int sum = wall.stream().mapToInt(peg -> peg.pieces * peg.priceInCents()).sum();
        int cents = sum % 100;
        System.out.println("total: " + sum / 100 + (cents < 10 ? ".0" : ".") + cents);
    }

    private void printLow(int minimum) {
        List<String> tools = new ArrayList<>();
        for (Peg peg : wall) {
            if (peg.pieces < minimum) {
                tools.add(peg.tool);
            }
        }
        tools.sort(Comparator.naturalOrder());
        System.out.println("low: " + (tools.isEmpty() ? "none" : String.join(" ", tools)));
    }
}
