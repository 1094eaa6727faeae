import java.util.Map;

class Printer
{
	static void everything(Map<String, Warehouse.Product> shelf)
	{
		for (Map.Entry<String, Warehouse.Product> pair : shelf.entrySet())
		{
			Warehouse.Product product = pair.getValue();
			System.out.println(Warehouse.tableLine(pair.getKey(), product.pieces, euros(product.unitPrice)));
		}
	}

	static void shortages(Map<String, Warehouse.Product> shelf, int limit)
	{
		StringBuilder missing = new StringBuilder();
		for (Map.Entry<String, Warehouse.Product> pair : shelf.entrySet())
		{
			if (pair.getValue().pieces < limit) { missing.append(' ').append(pair.getKey()); }
		}
		System.out.println("to order:" + (missing.length() == 0 ? " none" : missing));
	}

	static void sum(Map<String, Warehouse.Product> shelf)
	{
		long all = 0;
		for (Warehouse.Product product : shelf.values()) { all += product.worth(); }
		System.out.println("worth of all goods: " + euros(all));
	}

	static void mostPrecious(Map<String, Warehouse.Product> shelf)
	{
		String winner = null;
		long record = 0;
		for (Map.Entry<String, Warehouse.Product> pair : shelf.entrySet())
		{
			if (pair.getValue().worth() > record)
			{
				winner = pair.getKey();
				record = pair.getValue().worth();
			}
		}
		System.out.println(winner == null ? "most precious: none" : "most precious: " + winner + " " + euros(record));
	}

	private static String euros(long money) { return String.format("%d.%02d", money / 100, money % 100); }
}
