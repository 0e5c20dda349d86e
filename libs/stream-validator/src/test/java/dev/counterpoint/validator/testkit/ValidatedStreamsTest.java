package dev.counterpoint.validator.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/// The extension itself is on while these run, as it is in every test of the repository.
class ValidatedStreamsTest {
    private static final String WRONG = "data: [DONE]\n\n";

    @Test
    void aTestThatReadsAWrongStreamFailsWhoeverReadIt() throws Exception {
        // When
        var reading = Thread.ofVirtual().start(() -> readAll(new SseReader(body(WRONG))));
        reading.join();

        // Then
        assertThatThrownBy(ValidatedStreams::failIfAnyWasWrong)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("event 1, [DONE]: ending: the stream has no events");
        assertThatCode(ValidatedStreams::failIfAnyWasWrong)
                .as("the next test is another")
                .doesNotThrowAnyException();
    }

    @Test
    void soDoesOneWhoseClientReadItAll() {
        // When
        ValidatedStreams.validate(WRONG.getBytes(UTF_8), 3);
        ValidatedStreams.validate(WRONG.getBytes(UTF_8), -1);

        // Then
        assertThatThrownBy(ValidatedStreams::failIfAnyWasWrong).hasMessageContaining("the stream has no events");
    }

    @Test
    void aReaderThatLeavesMissesNothing() throws IOException {
        try (var reader = new SseReader(body(": keep-alive\n\nevent: a"))) {
            reader.next();
        }
        ValidatedStreams.failIfAnyWasWrong();
    }

    @Test
    void whatIsNotOfTheApiIsNotJudged() {
        readAll(SseReader.unchecked(body(WRONG), "it is wrong on purpose"));

        ValidatedStreams.failIfAnyWasWrong();
        assertThatThrownBy(() -> SseReader.unchecked(body(WRONG), " ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutTheExtensionTheReaderItselfFails() {
        System.clearProperty(ValidatedStreams.ON);
        try {
            assertThatThrownBy(() -> readAll(new SseReader(body(WRONG)))).isInstanceOf(AssertionError.class);
        } finally {
            System.setProperty(ValidatedStreams.ON, "true");
        }
    }

    private static InputStream body(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static void readAll(SseReader reader) {
        try (reader) {
            reader.readAll();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
