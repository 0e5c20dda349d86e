package dev.counterpoint.bus.tracing;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/// The span that work on the other side of a record, or of an HTTP request, belongs to: W3C's `traceparent`.
///
/// The signature does not cover it, so any writer of a topic can forge it. No decision depends on it; a forged one
/// spoils only a trace. A value in any other form is no parent, and there is no state or baggage.
///
/// @param traceId 32 lower-case hexadecimal digits, not all 0
/// @param spanId 16 of them, likewise
/// @param sampled whether the trace is recorded
public record TraceParent(String traceId, String spanId, boolean sampled) {
    /// Name of the header, on records as in HTTP.
    public static final String HEADER = "traceparent";

    private static final int LENGTH = 55;
    private static final int TRACE_AT = 3;
    private static final int SPAN_AT = 36;
    private static final int FLAGS_AT = 53;

    public TraceParent {
        if (!isId(traceId, 32) || !isId(spanId, 16)) {
            throw new IllegalArgumentException("no id of a trace or a span");
        }
    }

    /// The parent that a header names; null for none, and for anything that is not of version 00.
    public static @Nullable TraceParent parse(@Nullable String header) {
        if (header == null || header.length() != LENGTH || !header.startsWith("00-")) {
            return null;
        }
        var trace = header.substring(TRACE_AT, SPAN_AT - 1);
        var span = header.substring(SPAN_AT, FLAGS_AT - 1);
        var flags = header.substring(FLAGS_AT);
        boolean whole = header.charAt(SPAN_AT - 1) == '-' && header.charAt(FLAGS_AT - 1) == '-' && isHex(flags);
        return whole && isId(trace, 32) && isId(span, 16)
                ? new TraceParent(trace, span, (Character.digit(flags.charAt(1), 16) & 1) == 1)
                : null;
    }

    /// The parent that a record names, if it does and is sampled.
    public static @Nullable TraceParent of(Headers headers) {
        var header = headers.lastHeader(HEADER);
        if (header == null || header.value() == null || header.value().length != LENGTH) {
            return null;
        }
        var parent = parse(new String(header.value(), StandardCharsets.ISO_8859_1));
        return parent != null && parent.sampled ? parent : null;
    }

    /// Names this as the parent of what comes of a record.
    public void addTo(Headers headers) {
        headers.add(HEADER, toString().getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static boolean isId(String text, int length) {
        return text.length() == length && isHex(text) && text.chars().anyMatch(digit -> digit != '0');
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(digit -> digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f');
    }
}
