package dev.counterpoint.validator.testkit;

import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.StreamViolation;
import dev.counterpoint.validator.ValidatorOptions;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails each test during which a stream came that breaks the rules of the API, whichever thread read it. JUnit finds
/// it by itself; streams come from [SseReader] and from [#validate].
public final class ValidatedStreams implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    /// System properties, because frameworks load test classes several times over, and this class with them.
    static final String ON = "counterpoint.streams.validated";

    private static final String WRONG = "counterpoint.streams.wrong";
    private static final int CHARACTERS_MAX = 20_000;

    /// Judges a stream that some other client has read to its end.
    ///
    /// @param startingAfter number of the event before its first; -1 for a stream from the beginning
    public static void validate(byte[] stream, long startingAfter) {
        report(StreamValidator.validate(stream, ValidatorOptions.DEFAULT.startingAfter(startingAfter)));
    }

    /// @throws AssertionError right here where no test would hear of it otherwise
    static void report(List<StreamViolation> violations) {
        if (violations.isEmpty()) {
            return;
        }
        var told = violations.stream().map(StreamViolation::toString).collect(Collectors.joining("\n  ", "\n  ", ""));
        if (System.getProperty(ON) == null) {
            throw new AssertionError(message(told));
        }
        System.getProperties()
                .merge(WRONG, told, (one, other) -> one.toString().length() > CHARACTERS_MAX ? one : one + "" + other);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        System.setProperty(ON, "true");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        failIfAnyWasWrong();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        failIfAnyWasWrong();
    }

    static void failIfAnyWasWrong() {
        if (System.getProperties().remove(WRONG) instanceof String told) {
            throw new AssertionError(message(told));
        }
    }

    private static String message(String told) {
        return "A stream that came breaks the rules of the API:" + told;
    }
}
