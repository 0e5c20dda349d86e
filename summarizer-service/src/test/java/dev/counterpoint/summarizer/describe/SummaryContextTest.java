package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                    var told = SummaryContext.of(cells[i], Map.of()).language().tag();
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
    void takesShortPhrasesOfTheUsersOwn() {
        assertThat(SummaryContext.of("Please compare night trains with cheap flights from Lisbon", Map.of())
                        .phrases())
                .containsExactly("night trains", "cheap flights", "Lisbon");
        assertThat(SummaryContext.of("帮我比较高铁和飞机", Map.of()).phrases()).containsExactly("高铁", "飞机");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sehr geehrte Damen und Herren, der Mieter soll den Mietvertrag bestimmen | Mietvertrag
            Buenas tardes, mi limonero tiene las hojas amarillas                     | hojas amarillas
            강아지가 방금 샤인머스캣 두 알 먹었어요 괜찮은가요??                      | 샤인머스캣
            请把下面的会议记录整理成摘要                                             | 会议记录
            """)
    void quotesNounsAndNeitherGreetingsNorVerbs(String message, String phrase) {
        var phrases = SummaryContext.of(message, Map.of()).phrases();
        assertThat(phrases).contains(phrase);
        assertThat(phrases).noneMatch(each -> each.matches(".*(geehrte|Damen|Buenas|bestimmen|먹었어요|整理).*"));
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
    void takesNothingThatIsNoPlainWord(String message) {
        for (var phrase : SummaryContext.of(message, Map.of()).phrases()) {
            assertThat(phrase).matches("[\\p{L}\\p{M}' ’-]+").hasSizeLessThanOrEqualTo(48);
            assertThat(message.toLowerCase(Locale.ROOT)).contains(phrase.toLowerCase(Locale.ROOT));
            assertThat(phrase).doesNotContain("password", "hunter", "dGhpc", "example", "script", "token");
        }
    }

    @Test
    void cleansNamesForShowing() {
        var context = SummaryContext.of("Hi", Map.of("a", "**Look** <b>up</b>\u202E", "b", "\u0000"));
        assertThat(context.toolDisplayNames()).containsOnlyKeys("a");
        assertThat(context.toolDisplayNames().get("a")).doesNotContainPattern("[*<>\\p{C}]");
    }
}
