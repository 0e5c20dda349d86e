package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartupSummaryTest {
    private static final Map<String, String> EXPORTS = Map.of(
            "COUNTERPOINT_URL", "http://127.0.0.1:8080",
            "COUNTERPOINT_API_KEY", "cp-summary",
            "COUNTERPOINT_RAW_API_KEY", "cp-raw",
            "COUNTERPOINT_AUDIT_URL", "http://127.0.0.1:9999");

    @Test
    void showsACommandThatWorksWhenItIsPasted() {
        // When
        var model = new StartupSummary.Model("gpt-oss-20b", "a model of \"20b\", computed here");
        String text = new StartupSummary(EXPORTS, Optional.of(model), Optional.of("two"), "/s/logs", "/s/env", "Ctrl-C")
                .text();
        // Then
        assertThat(text)
                .contains("curl -N http://127.0.0.1:8080/v1/responses \\\n")
                .contains("-H 'Authorization: Bearer cp-summary'")
                .contains("Page      http://127.0.0.1:8080/#key=cp-summary ")
                .contains("{\"model\": \"gpt-oss-20b\", \"input\": \"Why is the sky blue?\", \"stream\": true,\n")
                .contains("\"reasoning\": {\"summary\": \"auto\"}, ")
                .contains("Model     gpt-oss-20b   a model of \"20b\", computed here\n")
                .contains("Limits    two\n")
                .contains("source '/s/env'");
    }

    @Test
    void namesTheConsoleAndItsPeopleWhereThereIsOne() {
        // Given
        var exports = new HashMap<>(EXPORTS);
        exports.put("COUNTERPOINT_CONSOLE_PASSWORD", "open sesame");
        // When
        var with = summary(exports);
        var without = summary(EXPORTS);
        // Then
        assertThat(with)
                .contains("Console   http://127.0.0.1:9999/console ")
                .contains("Olga asks, Amir approves, Ada audits; password open sesame");
        assertThat(without).doesNotContain("Console");
    }

    private static String summary(Map<String, String> exports) {
        return new StartupSummary(exports, Optional.empty(), Optional.empty(), "/s/logs", "/s/env", "Ctrl-C").text();
    }

    /// L8 (security review): the launcher of `up --detach` writes into `up.log`, and logs hold no keys.
    @Test
    void l8WhatGoesToTheLogHoldsNoKey() {
        String text = new StartupSummary(EXPORTS, Optional.empty(), Optional.empty(), "/s/logs", "/s/env", "Ctrl-C")
                .logText();

        assertThat(EXPORTS.keySet())
                .filteredOn(name -> name.endsWith("_KEY"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(text).doesNotContain(EXPORTS.get(name)));
        assertThat(text).contains("http://127.0.0.1:8080").contains("/s/env");
        assertThat(DetachedLauncher.command(List.of("--detach", "--port", "1")))
                .contains("-D" + DetachedLauncher.TO_LOG + "=true", "--port")
                .doesNotContain("--detach");
    }

    @Test
    void takesTheFirstModelOfTheListAndWhatItSaysOfItself() {
        var models = """
                {"object":"list","data":[
                {"id": "one","object":"model","created":0,"description":"is \\"one\\", in C:\\\\"},
                {"id": "two","object":"model","created":0,"description":"is two"}]}""";

        assertThat(StartupSummary.model(models, StartupSummary.ANY_MODEL))
                .contains(new StartupSummary.Model("one", "is \"one\", in C:\\"));
        assertThat(StartupSummary.model("{\"object\":\"list\",\"data\":[]}", StartupSummary.ANY_MODEL))
                .isEmpty();
    }

    @Test
    void saysEachThingThatIsKnownOfAModelInALine() {
        assertThat(new StartupSummary.Model("qwen3:8b", "Ollama 0.12.3, family qwen3; it tells (tried); off").text())
                .isEqualTo("qwen3:8b   Ollama 0.12.3, family qwen3\n            it tells (tried)\n            off");
    }

    @Test
    void doesNotMixUpModels() {
        var models = "{\"data\":[{\"id\":\"one\"},{\"id\":\"two\",\"description\":\"is two\"}]}";

        assertThat(StartupSummary.model(models, StartupSummary.ANY_MODEL))
                .contains(new StartupSummary.Model("one", ""));
        assertThat(StartupSummary.model(models, "two"::equals)).contains(new StartupSummary.Model("two", "is two"));
        assertThat(StartupSummary.model(models, "three"::equals)).isEmpty();
    }

    @Test
    void saysTheLimitsOfTheOldestTenant() {
        var tenants = """
                {"object":"list","data":[
                {"id":"a","requests_per_minute":600,"tokens_per_day":null,"concurrent_streams":null},
                {"id":"b","requests_per_minute":1,"tokens_per_day":null,"concurrent_streams":1}]}""";

        assertThat(StartupSummary.limits(tenants).orElseThrow())
                .startsWith("600 requests a minute, any number of responses at once;");
        assertThat(StartupSummary.limits("{}")).isEmpty();
    }
}
