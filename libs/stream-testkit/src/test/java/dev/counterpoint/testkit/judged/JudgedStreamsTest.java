package dev.counterpoint.testkit.judged;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/// The extension itself is on while these run, as it is in every test of the repository.
class JudgedStreamsTest {
    private static final String WRONG = "data: [DONE]\n\n";

    @Test
    void aTestThatReadsAWrongStreamFailsWhoeverReadIt() throws Exception {
        // When
        var reading = Thread.ofVirtual().start(() -> readAll(new SseReader(body(WRONG))));
        reading.join();

        // Then
        assertThatThrownBy(JudgedStreams::failIfAnyWasWrong)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("event 1, [DONE]: ending: the stream has no events");
        assertThatCode(JudgedStreams::failIfAnyWasWrong)
                .as("the next test is another")
                .doesNotThrowAnyException();
    }

    @Test
    void soDoesOneWhoseClientReadItAll() {
        // When
        JudgedStreams.judge(WRONG.getBytes(UTF_8), 3);
        JudgedStreams.judge(WRONG.getBytes(UTF_8), -1);

        // Then
        assertThatThrownBy(JudgedStreams::failIfAnyWasWrong).hasMessageContaining("the stream has no events");
    }

    @Test
    void aReaderThatLeavesMissesNothing() throws IOException {
        try (var reader = new SseReader(body(": keep-alive\n\nevent: a"))) {
            reader.next();
        }
        JudgedStreams.failIfAnyWasWrong();
    }

    @Test
    void whatIsNotOfTheApiIsNotJudged() {
        readAll(SseReader.unjudged(body(WRONG), "it is wrong on purpose"));

        JudgedStreams.failIfAnyWasWrong();
        assertThatThrownBy(() -> SseReader.unjudged(body(WRONG), " ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutTheExtensionTheReaderItselfFails() {
        System.clearProperty(JudgedStreams.ON);
        try {
            assertThatThrownBy(() -> readAll(new SseReader(body(WRONG)))).isInstanceOf(AssertionError.class);
        } finally {
            System.setProperty(JudgedStreams.ON, "true");
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
