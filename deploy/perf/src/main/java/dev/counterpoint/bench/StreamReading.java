package dev.counterpoint.bench;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads the lines of one streamed answer of either API, for its times alone: no JSON is parsed. Whether a gateway
/// splits tokens or joins them, each counts when the blank behind it has come.
final class StreamReading {
    private static final long AGE_MAX_NANOS = 600_000_000_000L;
    private static final String DATA = "data:";
    private static final String DELTA = "response.output_text.delta";

    private final LongConsumer transit;
    private final StringBuilder partial = new StringBuilder();
    private long firstText;
    private long created;
    private int tokens;
    private boolean ended;
    private boolean broken;

    /// @param transit takes each token's way from the upstream to here, in nanoseconds
    StreamReading(LongConsumer transit) {
        this.transit = transit;
    }

    /// @param now when the line's bytes were read
    void line(String line, long now) {
        if (!line.startsWith(DATA) || ended) {
            return;
        }
        if (line.startsWith("[DONE]", DATA.length() + 1)) {
            ended = true;
        } else if (line.contains("\"object\":\"chat.completion.chunk\"") || !line.contains("\"type\":\"response.")) {
            chunk(line, now);
        } else {
            event(line, now);
        }
    }

    private void chunk(String line, long now) {
        if (line.startsWith("{\"error\"", DATA.length() + 1)) {
            broken = true;
            return;
        }
        var content = member(line, "\"content\"");
        if (content != null) {
            text(content, now);
        }
    }

    private void event(String line, long now) {
        if (line.contains("\"type\":\"" + DELTA + "\"")) {
            var delta = member(line, "\"delta\"");
            if (delta != null) {
                text(delta, now);
            }
        } else if (line.contains("\"type\":\"response.created\"")) {
            created = now;
        } else if (line.contains("\"type\":\"response.completed\"")) {
            ended = true;
        } else if (line.contains("\"type\":\"response.failed\"") || line.contains("\"type\":\"response.incomplete\"")) {
            broken = true;
        }
    }

    /// The string that is this member's value; none of ours needs an escape.
    private static @Nullable String member(String line, String name) {
        int at = line.indexOf(name);
        if (at < 0) {
            return null;
        }
        at += name.length();
        while (at < line.length() && (line.charAt(at) == ':' || line.charAt(at) == ' ')) {
            at++;
        }
        if (at == line.length() || line.charAt(at) != '"') {
            return null;
        }
        int end = line.indexOf('"', at + 1);
        return end < 0 ? null : line.substring(at + 1, end);
    }

    private void text(String text, long now) {
        if (firstText == 0 && !text.isEmpty()) {
            firstText = now;
        }
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next != SentTime.END) {
                partial.append(next);
            } else if (!partial.isEmpty()) {
                token(now);
            }
        }
    }

    private void token(long now) {
        long sent = SentTime.parse(partial);
        partial.setLength(0);
        // Words are numbers too, but no times of just now.
        if (sent < 0 || sent > now || now - sent > AGE_MAX_NANOS) {
            broken = true;
        } else {
            tokens++;
            transit.accept(now - sent);
        }
    }

    /// When the first text came, 0 before.
    long firstText() {
        return firstText;
    }

    /// When `response.created` came, 0 before and for Chat.
    long created() {
        return created;
    }

    int tokens() {
        return tokens;
    }

    /// Whether the answer has said that it is complete.
    boolean ended() {
        return ended;
    }

    /// Whether it said an error, or something that the upstream did not.
    boolean broken() {
        return broken;
    }
}
