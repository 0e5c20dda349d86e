package dev.counterpoint.bench;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// The steady loads as an SVG picture: first text and CPU of a token by the number of streams, both axes logarithmic.
final class BenchPlot {
    private static final List<String> COLOURS =
            List.of("#888888", "#2b8a3e", "#1c5fd4", "#d9480f", "#862e9c", "#c2255c", "#0b7285");
    private static final int WIDTH = 420;
    private static final int HEIGHT = 260;
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int GAP = 90;

    private final List<BenchCell> cells;
    private final List<String> targets;
    private final StringBuilder svg = new StringBuilder();

    BenchPlot(List<BenchCell> cells) {
        // Bursts have a name, not a number.
        this.cells = cells.stream()
                .filter(cell ->
                        cell.load().label().equals(Integer.toString(cell.load().streams())))
                .toList();
        this.targets = List.copyOf(this.cells.stream()
                .map(BenchCell::target)
                .collect(LinkedHashSet<String>::new, LinkedHashSet::add, LinkedHashSet::addAll));
    }

    String svg() {
        int width = LEFT + 3 * WIDTH + 2 * GAP + 20;
        int height = TOP + HEIGHT + 50 + 18 * targets.size();
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                width, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        panel(0, "first text p50, ms", cell -> cell.times().firstText().p50());
        panel(1, "first text p99, ms", cell -> cell.times().firstText().p99());
        panel(2, "CPU per token, µs", cell -> cell.cpuMicrosPerToken(cell.cost().all()));
        for (int i = 0; i < targets.size(); i++) {
            int y = TOP + HEIGHT + 55 + 18 * i;
            add("<rect x=\"%d\" y=\"%d\" width=\"20\" height=\"4\" fill=\"%s\"/>", LEFT, y - 6, colour(i));
            add("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 28, y, targets.get(i));
        }
        return svg.append("</svg>\n").toString();
    }

    private void panel(int number, String title, ToDoubleFunction<BenchCell> figure) {
        int left = LEFT + number * (WIDTH + GAP);
        var values =
                cells.stream().mapToDouble(figure).filter(value -> value > 0).summaryStatistics();
        if (values.getCount() == 0) {
            return;
        }
        var across = LogAxis.of(
                1, cells.stream().mapToInt(cell -> cell.load().streams()).max().orElse(1), WIDTH);
        var up = LogAxis.of(values.getMin(), values.getMax(), HEIGHT);
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", left, TOP - 14, title);
        for (double tick : up.ticks()) {
            double y = TOP + HEIGHT - up.place(tick);
            add("<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>", left, y, WIDTH);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 6, y + 4, label(tick));
        }
        for (double tick : across.ticks()) {
            double x = left + across.place(tick);
            add("<path d=\"M%.1f %dv%d\" stroke=\"#ddd\"/>", x, TOP, HEIGHT);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, TOP + HEIGHT + 18, label(tick));
        }
        for (int i = 0; i < targets.size(); i++) {
            var target = targets.get(i);
            var points = cells.stream()
                    .filter(cell -> cell.target().equals(target) && figure.applyAsDouble(cell) > 0)
                    .map(cell -> point(
                            left + across.place(cell.load().streams()),
                            TOP + HEIGHT - up.place(figure.applyAsDouble(cell))))
                    .toList();
            add(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                    String.join(" ", points), colour(i));
            var marker = "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"" + colour(i) + "\"/>";
            svg.append(points.stream()
                            .map(each -> marker.formatted((Object[]) each.split(",")))
                            .collect(joining("\n")))
                    .append('\n');
        }
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
    }

    private static String colour(int target) {
        return COLOURS.get(target % COLOURS.size());
    }

    private static String label(double tick) {
        return tick < 1 ? Double.toString(tick) : Long.toString(Math.round(tick));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
