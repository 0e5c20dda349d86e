package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a request gives: its language, phrases that are plain words of the user's, and names for showing.
class SummaryContextTest {
    @Test
    void tellsTheLanguageOfShortMessages() throws java.io.IOException {
        var wrong = new ArrayList<String>();
        int messages = 0;
        try (var in = java.util.Objects.requireNonNull(getClass().getResourceAsStream("/describe/languages.txt"))) {
            for (var line : new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList()) {
                var cells = line.split(" \\| ");
                assertThat(cells.length).as(cells[0]).isGreaterThan(12);
                for (int i = 1; i < cells.length; i++) {
                    messages++;
                    var told = SummaryContext.of(cells[i]).language().tag();
                    if (!told.equals(cells[0])) {
                        wrong.add(cells[0] + " taken for " + told + ": " + cells[i]);
                    }
                }
            }
        }
        System.out.println("language told of " + messages + " messages, wrong: " + wrong);
        assertThat(messages).isGreaterThanOrEqualTo(180);
        assertThat(wrong).hasSizeLessThan(4);
    }

    @Test
    void quotesNothingButNamesOfCodeFilesAndProductsInQuotationMarks() {
        var message = "Why does `fetchRows()` fail on \"orders.csv\" with “Postgres 16”? I said \"leave me alone\".";
        assertThat(SummaryContext.of(message).phrases()).containsExactly("fetchRows", "orders.csv", "Postgres 16");
        assertThat(SummaryContext.of("Compare Kafka and RabbitMQ for my boss Anna")
                        .phrases())
                .isEmpty();
        assertThat(SummaryContext.of("„Excel“ öffnet «rapport.xlsx» und 「Notion」 nicht")
                        .phrases())
                .containsExactly("Excel", "rapport.xlsx", "Notion");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mail anna.k@example.org now",
                "see https://example.org/secret?x=1",
                "sk-live4f9aB2cD8eF0123456789",
                "card 4111111111111111",
                "`rm -rf token`",
                "```\npassword = hunter\n```",
                "<script>alert</script>",
                "**bold** _under_ [link](x)",
                "a\u202Eevil\u202C b\u200Bc",
                "dGhpc0lzQmFzZTY0S2V5"
            })
    void quotesNoAddressKeyOrMarkup(String message) {
        for (var phrase : SummaryContext.of(message).phrases()) {
            assertThat(phrase).matches("[\\p{L}\\p{N} ._+#-]+").hasSizeLessThanOrEqualTo(48);
            assertThat(message.toLowerCase(Locale.ROOT)).contains(phrase.toLowerCase(Locale.ROOT));
            assertThat(phrase).doesNotContain("password", "hunter", "dGhpc", "example", "script", "token");
        }
    }
}
