package dev.counterpoint.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One agent that sends its whole conversation each time: 20 turns, the prompt of the last has 70,000 tokens. By Chat
/// Completions, over one connection. The second of two conversations counts, and of it the last five turns.
///
/// @param use what the target's processes have used until now
record AgentRun(LoadTarget target, Supplier<Map<String, ProcessUse>> use) {
    private static final int TURNS = 20;
    private static final int MEASURED = 5;
    /// A turn has about 3,500 tokens.
    private static final int NOTES = 290;

    private static final Pace PACE = new Pace(64, Duration.ofMillis(1));
    private static final int SILENCE_MILLIS_MAX = 30_000;

    /// What the measured turns took.
    ///
    /// @param promptBytes the body of the last one
    /// @param firstTextMillis the median
    /// @param cpuMillis of all processes of the target, per turn
    record Turns(String target, int promptBytes, double firstTextMillis, double cpuMillis) {}

    Turns run() throws IOException {
        try (var connection = new RawConnection(target.address(), SILENCE_MILLIS_MAX)) {
            converse(connection, 1);
            return converse(connection, 2);
        }
    }

    private Turns converse(RawConnection connection, int conversation) throws IOException {
        var messages = new StringBuilder();
        var firstTexts = new double[MEASURED];
        var before = ProcessUse.sum(use.get().values());
        int bytes = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            messages.append(turn == 0 ? "" : ",{\"role\":\"assistant\",\"content\":\"It is noted.\"},")
                    .append("{\"role\":\"user\",\"content\":\"")
                    .append(notes(conversation, turn))
                    .append("\"}");
            if (turn == TURNS - MEASURED) {
                before = ProcessUse.sum(use.get().values());
            }
            var body = "{\"model\":\"" + LoadRun.MODEL + "\",\"stream\":true,\"messages\":[" + messages + "]}";
            bytes = body.length();
            double firstText = ask(connection, body);
            if (turn >= TURNS - MEASURED) {
                firstTexts[turn - TURNS + MEASURED] = firstText;
            }
        }
        Arrays.sort(firstTexts);
        var spent = ProcessUse.sum(use.get().values()).since(before);
        return new Turns(target.name(), bytes, firstTexts[MEASURED / 2], spent.cpuMicros() / 1e3 / MEASURED);
    }

    private static String notes(int conversation, int turn) {
        return IntStream.range(0, NOTES)
                .mapToObj(note ->
                        "Note %d of turn %d in conversation %d: all is well.".formatted(note, turn, conversation))
                .collect(Collectors.joining(" ", "", " Say what time it is " + PACE.words() + "."));
    }

    /// @return milliseconds to the first text
    private double ask(RawConnection connection, String body) throws IOException {
        var reading = new StreamReading(_ -> {});
        var request = target.request(body);
        long begun = System.nanoTime();
        int status = connection.send(request);
        connection.body(reading::line);
        if (!RawConnection.isOk(status) || !reading.ended() || reading.tokens() != PACE.tokens()) {
            throw new IOException(
                    target + " answered the agent with " + status + " and " + reading.tokens() + " tokens");
        }
        return (reading.firstText() - begun) / 1e6;
    }
}
