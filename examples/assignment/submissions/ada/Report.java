// SPDX-License-Identifier: MIT OR Apache-2.0

import java.util.Map;

/** Everything that is printed about the stock. Nothing here changes it. */
class Report {

    static void list(Map<String, Inventory.Item> items) {
        for (Map.Entry<String, Inventory.Item> entry : items.entrySet()) {
            Inventory.Item item = entry.getValue();
            System.out.println(Inventory.row(entry.getKey(), item.count, money(item.cents)));
        }
    }

    static void low(Map<String, Inventory.Item> items, int minimum) {
        StringBuilder names = new StringBuilder();
        for (Map.Entry<String, Inventory.Item> entry : items.entrySet()) {
            if (entry.getValue().count < minimum) {
                names.append(' ').append(entry.getKey());
            }
        }
        System.out.println("low:" + (names.length() == 0 ? " none" : names));
    }

    static void total(Map<String, Inventory.Item> items) {
        long sum = 0;
        for (Inventory.Item item : items.values()) {
            sum += item.value();
        }
        System.out.println("total: " + money(sum));
    }

    static void top(Map<String, Inventory.Item> items) {
        String best = null;
        long most = 0;
        for (Map.Entry<String, Inventory.Item> entry : items.entrySet()) {
            // The map is sorted, so on a tie the first name stays.
            if (entry.getValue().value() > most) {
                best = entry.getKey();
                most = entry.getValue().value();
            }
        }
        System.out.println(best == null ? "top: none" : "top: " + best + " " + money(most));
    }

    private static String money(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
