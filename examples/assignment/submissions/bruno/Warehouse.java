import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.TreeMap;

public class Warehouse
{
	// the goods and their history
	private final TreeMap<String, Product> shelf = new TreeMap<>();
	private final Deque<Step> history = new ArrayDeque<>();

	static class Product
	{
		int pieces;
		long unitPrice;

		Product(int pieces, long unitPrice)
		{
			this.pieces = pieces;
			this.unitPrice = unitPrice;
		}

		long worth() { return pieces * unitPrice; }
	}

	// one step back
	private static class Step
	{
		final String article;
		final Product old;

		Step(String article, Product old)
		{
			this.article = article;
			this.old = old;
		}
	}

	public static void main(String[] argv) throws IOException
	{
		Warehouse warehouse = new Warehouse();
		try (BufferedReader reader = source(argv))
		{
			int lineNo = 0;
			String text;
			while ((text = reader.readLine()) != null)
			{
				lineNo++;
				text = text.strip();
				if (text.isEmpty() || text.startsWith("#")) { continue; }
				try
				{
					warehouse.run(text.split("\\s+"));
				}
				catch (IllegalArgumentException problem)
				{
					System.out.println("line " + lineNo + ": " + problem.getMessage());
				}
			}
		}
	}

	private static BufferedReader source(String[] argv) throws IOException
	{
		if (argv.length > 0) { return Files.newBufferedReader(Path.of(argv[0])); }
		return new BufferedReader(new InputStreamReader(System.in));
	}

	static String tableLine(String article, int pieces, String unitPrice)
	{
		return String.format(Locale.ROOT, "%-12s %6d %10s", article, pieces, unitPrice);
	}

	void run(String[] input)
	{
		switch (input[0])
		{
			case "add":   receive(part(input, 1), readAmount(part(input, 2))); break;
			case "take":  deliver(part(input, 1), readAmount(part(input, 2))); break;
			case "price": setPrice(part(input, 1), readMoney(part(input, 2))); break;
			case "list":  Printer.everything(shelf); break;
			case "low":   Printer.shortages(shelf, readAmount(part(input, 1))); break;
			case "total": Printer.sum(shelf); break;
			case "top":   Printer.mostPrecious(shelf); break;
			case "undo":  goBack(); break;
			default: throw new IllegalArgumentException("I do not understand " + input[0]);
		}
	}

	private void receive(String article, int amount)
	{
		Product product = touch(article);
		product.pieces += amount;
	}

	private void deliver(String article, int amount)
	{
		Product found = shelf.get(article);
		int left = found == null ? 0 : found.pieces;
		if (left < amount)
		{
			throw new IllegalArgumentException("sorry, there are just " + left + " of " + article + ", not enough");
		}
		touch(article).pieces -= amount;
	}

	private void setPrice(String article, long money) { touch(article).unitPrice = money; }

	// write the old state down and give the product out
	private Product touch(String article)
	{
		Product product = shelf.get(article);
		if (product == null)
		{
			history.push(new Step(article, null));
			product = new Product(0, 0);
			shelf.put(article, product);
		}
		else
		{
			history.push(new Step(article, new Product(product.pieces, product.unitPrice)));
		}
		return product;
	}

	private void goBack()
	{
		if (history.isEmpty()) { throw new IllegalArgumentException("there is no step to take back"); }
		Step step = history.pop();
		if (step.old == null) { shelf.remove(step.article); }
		else { shelf.put(step.article, step.old); }
	}

	private static String part(String[] input, int position)
	{
		if (position >= input.length)
		{
			throw new IllegalArgumentException(input[0] + " wants at least " + position + " words behind it");
		}
		return input[position];
	}

	private static int readAmount(String token)
	{
		int amount;
		try
		{
			amount = Integer.parseInt(token);
		}
		catch (NumberFormatException problem)
		{
			throw new IllegalArgumentException(token + "? That is no amount");
		}
		if (amount <= 0) { throw new IllegalArgumentException("amounts start at one"); }
		return amount;
	}

	private static long readMoney(String token)
	{
		if (!token.matches("[0-9]+([.][0-9]{1,2})?"))
		{
			throw new IllegalArgumentException(token + "? That is no money");
		}
		int dot = token.indexOf('.');
		if (dot < 0) { return Long.parseLong(token) * 100; }
		String tail = token.substring(dot + 1);
		if (tail.length() == 1) { tail += "0"; }
		return Long.parseLong(token.substring(0, dot)) * 100 + Long.parseLong(tail);
	}
}
