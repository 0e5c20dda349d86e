package dev.counterpoint.harmony.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All figures side by side in Markdown. Speeds are of the fastest pass.
final class ResultTable {
    static final String OURS = "ours";
    static final String JTOKKIT = "jtokkit 1.1.0";

    private static final List<String> CODECS = List.of(OURS, Peers.NATIVE, JTOKKIT, Peers.QUICKTOK, Peers.GIGATOKEN);
    /// A first pass this much slower than the best shows that something is remembered, and is shown.
    private static final double REMEMBERS = 1.5;

    private static final String NOTHING = "–";

    private final Map<String, Map<String, Figure>> figures;
    private final StringBuilder table = new StringBuilder();

    ResultTable(Map<String, List<Figure>> figures) {
        this.figures = figures.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> byName(entry.getValue())));
    }

    private static Map<String, Figure> byName(List<Figure> figures) {
        return figures.stream().collect(Collectors.toMap(Figure::name, Function.identity(), (_, later) -> later));
    }

    String markdown(List<String> texts) {
        table.append("| | ").append(String.join(" | ", CODECS)).append(" | ours : native | ours : quicktok |\n");
        table.append("|---|").append("---:|".repeat(CODECS.size() + 2)).append('\n');
        for (String text : texts) {
            megabytes("encode " + text, "MB/s");
        }
        for (String text : texts) {
            tokens("decode " + text);
        }
        tokens("parse");
        time("render chat", "a 41-message chat of 27,000 tokens, nothing cached");
        time("render agent", "an agent's prompt of 27,000 tokens, system and developer part cached by us");
        megabytes("encode letters", "MB/s: one letter a million times (native: 200,000 times)");
        megabytes("encode random letters", "MB/s: a million of them");
        time("load -", "vocabulary ready");
        return table.toString();
    }

    private void megabytes(String name, String words) {
        row(name + ", " + words, name, figure -> figure.bytes() / 1e6);
    }

    private void tokens(String name) {
        row(name + ", million tokens/s", name, figure -> figure.tokens() / 1e6);
    }

    private void time(String name, String words) {
        row(words + ", ms", name, null);
    }

    /// @param amount of work in a pass, shown per second; null shows how long a pass takes
    private void row(String title, String name, @Nullable ToDoubleFunction<Figure> amount) {
        table.append("| ").append(title);
        for (String codec : CODECS) {
            var figure = figure(codec, name);
            table.append(" | ").append(figure == null ? NOTHING : cell(figure, amount));
        }
        table.append(" | ").append(ratio(name, Peers.NATIVE));
        table.append(" | ").append(ratio(name, Peers.QUICKTOK)).append(" |\n");
    }

    private @Nullable Figure figure(String codec, String name) {
        var ofCodec = figures.getOrDefault(codec, Map.of());
        boolean parse = name.startsWith("parse") && !codec.equals(OURS);
        return ofCodec.get(parse ? "parse stream" : name);
    }

    private static String cell(Figure figure, @Nullable ToDoubleFunction<Figure> amount) {
        var best = number(value(figure, figure.best(), amount));
        boolean remembers = figure.first() > REMEMBERS * figure.best();
        return remembers ? best + " (first pass " + number(value(figure, figure.first(), amount)) + ")" : best;
    }

    private static double value(Figure figure, double seconds, @Nullable ToDoubleFunction<Figure> amount) {
        return amount == null ? seconds * 1e3 : amount.applyAsDouble(figure) / seconds;
    }

    /// How many times faster we are, for the same amount of work.
    private String ratio(String name, String peer) {
        var ours = figure(OURS, name);
        var theirs = figure(peer, name);
        if (ours == null || theirs == null) {
            return NOTHING;
        }
        double work = ours.bytes() > 0 && theirs.bytes() > 0 ? (double) ours.bytes() / theirs.bytes() : 1;
        return number(theirs.best() * work / ours.best()) + "×";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
