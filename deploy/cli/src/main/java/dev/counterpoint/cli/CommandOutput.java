package dev.counterpoint.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/// Prints for people: dims and filters on a terminal, and nothing of the kind into a file.
///
/// @param styled whether the output is a terminal that shows styles
record CommandOutput(PrintWriter out, PrintWriter errors, boolean styled) {
    /// Shows nothing.
    static final CommandOutput NOWHERE =
            new CommandOutput(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), false);

    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    /// Shows some text at once.
    void text(String text) {
        out.print(shown(text));
        out.flush();
    }

    void dim(String text) {
        out.print(styled ? DIM + shown(text) + PLAIN : text);
        out.flush();
    }

    void line(String text) {
        out.println(shown(text));
    }

    void error(String text) {
        errors.println(printable(text));
    }

    /// Columns as wide as their longest cell.
    void table(List<List<String>> rows) {
        var widths = new ArrayList<Integer>();
        for (var row : rows) {
            for (int i = 0; i < row.size(); i++) {
                if (i == widths.size()) {
                    widths.add(0);
                }
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        for (var row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(' ', widths.get(i) - row.get(i).length() + 2);
            }
            line(line.toString().stripTrailing());
        }
    }

    private String shown(String text) {
        return styled ? printable(text) : text;
    }

    /// Without control characters: what a model says must not steer the terminal.
    private static String printable(String text) {
        return text.codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
