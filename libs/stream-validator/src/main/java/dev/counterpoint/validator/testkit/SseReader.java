package dev.counterpoint.validator.testkit;

import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.openai.sse.SseParser;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.StreamViolation;
import dev.counterpoint.validator.ValidatorOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Reads a `text/event-stream` body as it arrives, with [SseParser]: an event is returned as soon as its empty
/// line is there, whatever chunks the bytes came in. What it reads is validated by the rules of the API, and a
/// violation fails the test, see [ValidatedStreams]. Not thread-safe.
public final class SseReader implements AutoCloseable {
    private static final int CHUNK_BYTES = 8192;

    private final InputStream body;
    private final @Nullable StreamValidator validator;
    private final SseParser parser = new SseParser();
    private final Queue<SseEvent> ready = new ArrayDeque<>();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int violationsReported;

    public SseReader(InputStream body) {
        this(body, new StreamValidator(ValidatorOptions.DEFAULT));
    }

    private SseReader(InputStream body, @Nullable StreamValidator validator) {
        this.body = body;
        this.validator = validator;
    }

    /// Reads a stream that is none of the API's, or that a test has broken.
    ///
    /// @param why for who reads the test
    public static SseReader unchecked(InputStream body, String why) {
        if (why.isBlank()) {
            throw new IllegalArgumentException("say why this stream is not validated");
        }
        return new SseReader(body, null);
    }

    /// The next event; blocks until it is whole. Empty at the end of the stream.
    public Optional<SseEvent> next() throws IOException {
        while (ready.isEmpty()) {
            int length = body.read(chunk);
            if (length < 0) {
                endValidation();
                return Optional.empty();
            }
            validate(length);
            ready.addAll(parser.accept(chunk, 0, length));
        }
        return Optional.of(ready.remove());
    }

    /// Everything up to the end of the stream.
    public List<SseEvent> readAll() throws IOException {
        var events = new ArrayList<SseEvent>();
        for (var event = next(); event.isPresent(); event = next()) {
            events.add(event.get());
        }
        return events;
    }

    /// After the end: the received part of an event whose empty line never came; empty when the stream ended
    /// between events.
    public String incomplete() {
        return parser.incomplete();
    }

    private void validate(int length) {
        if (validator != null) {
            validator.accept(chunk, 0, length);
            tell(validator.violations());
        }
    }

    /// A stream that its reader leaves is validated as far as it came.
    private void endValidation() {
        if (validator != null) {
            tell(validator.end());
        }
    }

    private void tell(List<StreamViolation> all) {
        var fresh = all.subList(violationsReported, all.size());
        violationsReported = all.size();
        ValidatedStreams.report(fresh);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
