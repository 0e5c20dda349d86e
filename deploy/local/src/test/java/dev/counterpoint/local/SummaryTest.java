package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Map<String, String> EXPORTS = Map.of(
            "COUNTERPOINT_URL", "http://127.0.0.1:8080",
            "COUNTERPOINT_API_KEY", "cp-summary",
            "COUNTERPOINT_RAW_API_KEY", "cp-raw",
            "COUNTERPOINT_AUDIT_URL", "http://127.0.0.1:9999");

    @Test
    void showsACommandThatWorksWhenItIsPasted() {
        // When
        String text = new Summary(EXPORTS, Optional.of("gpt-oss-20b"), Path.of("/s/logs"), "Ctrl-C").text();
        // Then
        assertThat(text)
                .contains("curl -N http://127.0.0.1:8080/v1/responses \\\n")
                .contains("-H 'Authorization: Bearer cp-summary'")
                .contains("{\"model\": \"gpt-oss-20b\", \"input\": \"Why is the sky blue?\", \"stream\": true}")
                .contains("source /s/env");
    }

    @Test
    void takesTheFirstModelOfTheList() {
        assertThat(Summary.model("{\"object\":\"list\",\"data\":[{\"id\": \"gpt-oss-20b\",\"object\":\"model\"}]}"))
                .contains("gpt-oss-20b");
        assertThat(Summary.model("{\"object\":\"list\",\"data\":[]}")).isEmpty();
    }
}
