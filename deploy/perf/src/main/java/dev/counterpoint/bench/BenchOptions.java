package dev.counterpoint.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// What is measured.
///
/// @param streams open streams that the load aims at, one cell of the table each
/// @param answers tokens of an answer, a cell each
/// @param agents whether an agent's long prompts are measured too
/// @param measured how long one cell is measured
/// @param warmUp how long the suite is loaded before the first cell, by each API
/// @param slots generations at once of the suite's worker
/// @param peers whether other gateways than nginx are measured too
/// @param output receives results.json and the plot
record BenchOptions(
        List<Integer> streams,
        List<Integer> answers,
        boolean agents,
        Duration measured,
        Duration warmUp,
        int slots,
        boolean peers,
        Path output) {
    static final String USAGE = """
            usage: ./deploy/perf/run compare [options]
              --streams N,N…   open streams to aim at (default 1,16,64,256,1000,2000; the last is past saturation)
              --answers N,N…   tokens of an answer (default -Dtokens); 64,512 shows what an answer costs beside its tokens
              --agents         also an agent whose prompt grows to 70,000 tokens in 20 turns
              --seconds N      how long each cell is measured (default 7; one stream takes twice that)
              --warm-up N      seconds of load before the first cell, by each API (default 8; 120 for compiled code)
              --slots N        generations at once of the suite's worker (default: the most streams, at least 32)
              --peers          also smg, litellm and portkey, installed by pip and npm into deploy/perf/target/peers
              --no-build       use what is built; needs no Maven
              --output FOLDER  for results.json and results.md (default deploy/perf/target/results)
            -Dtokens=64 and -Dpace=20 (milliseconds) say how the upstream speaks.
            """;
    private static final String STREAMS = "1,16,64,256,1000,2000";
    private static final int NUMBER_MAX = 20_000;
    private static final int SLOTS_MIN = 32;

    BenchOptions {
        streams = List.copyOf(streams);
        answers = List.copyOf(answers);
    }

    /// @throws IllegalArgumentException with a sentence for the user
    static BenchOptions parse(String... arguments) {
        var list = List.of(arguments);
        for (int i = 0; i < list.size(); i++) {
            switch (list.get(i)) {
                case "--peers", "--agents" -> {}
                case "--streams", "--answers", "--seconds", "--warm-up", "--slots", "--output" -> i++;
                default -> throw new IllegalArgumentException("unknown option " + list.get(i));
            }
        }
        var streams = numbers(value(list, "--streams", STREAMS));
        int most = Math.max(SLOTS_MIN, streams.getLast());
        return new BenchOptions(
                streams,
                numbers(value(
                        list,
                        "--answers",
                        Integer.toString(Pace.fromProperties().tokens()))),
                list.contains("--agents"),
                Duration.ofSeconds(number(value(list, "--seconds", "7"), 600)),
                Duration.ofSeconds(number(value(list, "--warm-up", "8"), 600)),
                number(value(list, "--slots", Integer.toString(most)), NUMBER_MAX),
                list.contains("--peers"),
                Path.of(value(list, "--output", "deploy/perf/target/results")).toAbsolutePath());
    }

    private static List<Integer> numbers(String text) {
        return Stream.of(text.split(","))
                .map(each -> number(each, NUMBER_MAX))
                .sorted()
                .distinct()
                .toList();
    }

    private static String value(List<String> arguments, String name, String otherwise) {
        int at = arguments.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        if (at + 1 == arguments.size()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return arguments.get(at + 1);
    }

    private static int number(String text, int max) {
        if (text.matches("[0-9]{1,6}")) {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number from 1 to " + max + " is needed, not " + text);
    }
}
