package dev.counterpoint.validator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two streams that OpenAI itself sent, in July 2025.
class RecordedStreamsTest {
    private static final String NO_PROGRAMS = "the member response.access_programs is missing";

    /// What the contracts of August and November 2026 have added to them since.
    private static final List<String> ADDED_SINCE = List.of(
            NO_PROGRAMS, NO_PROGRAMS, "the member response.usage.input_tokens_details.cache_write_tokens is missing");

    @ParameterizedTest
    @ValueSource(strings = {"basic", "web-search"})
    void whatOpenAiSentIsRightButForWhatTheContractHasAddedSince(String name) throws IOException {
        // Given
        var file = ConformanceFiles.find("harmony/openai-gpt-oss/tests-data/" + name + "-event-stream.txt");
        assumeTrue(file.isPresent());
        // One of the two files has lost the empty line at its end.
        var recorded = (Files.readString(file.get()).stripTrailing() + "\n\n").getBytes(UTF_8);

        // When
        var violations = StreamValidator.validate(recorded, ValidatorOptions.DEFAULT.withoutDone());

        // Then
        assertThat(violations).extracting(StreamViolation::message).containsExactlyElementsOf(ADDED_SINCE);
    }
}
