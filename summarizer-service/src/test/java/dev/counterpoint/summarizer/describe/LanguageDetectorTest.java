package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageDetectorTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            この関数が遅いので速くしてください,  JA
            帮我看看这个函数为什么慢,            ZH
            Почему эта функция работает медленно, RU
            Waarom is deze functie zo langzaam,   NL
            Why is this function so slow,         EN
            """)
    void codeDoesNotTellWhichLanguageAUserSpeaks(String message, SummaryLanguage language) {
        var code = """

                ```python
                def the_average_of_all_values_in_the_list(values):
                    return sum(value for value in values) / len(values) if values else None
                ```
                """;
        assertThat(LanguageDetector.of(message)).isEqualTo(language);
        assertThat(LanguageDetector.of(message + code)).isEqualTo(language);
        assertThat(LanguageDetector.of(message + code.strip().replaceFirst("```$", "")))
                .isEqualTo(language);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            nginx経由だと502になります。わけがわからない…, JA
            Hej czemu to się odświeża w kółko?,              PL
            Почему не стартует?,                             RU
            """)
    void norDoesCodeWithoutABlock(String message, SummaryLanguage language) {
        var code = """

                services:
                  web:
                    image: nginx
                    depends_on:
                      - the-application
                function List({ userId }: { userId: string }) {
                  const params = { user: userId, limit: 50 };
                  return <ul>{rows.map(row => <li key={row.id}>{row.name}</li>)}</ul>;
                }
                2024/05/08 02:11:45 [error] connect() failed (111: Connection refused) while connecting to upstream
                """;
        assertThat(LanguageDetector.of(message + code)).isEqualTo(language);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            ```# Сортирует список по убыванию```, RU
            ```return the sum of the values,      EN
            „Wie geht es dir heute?“,             DE
            """)
    void nothingButCodeOrAQuotationIsReadAsItIs(String message, SummaryLanguage language) {
        assertThat(LanguageDetector.of(message)).isEqualTo(language);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', textBlock = """
            Was heißt "the cat that is on the roof of the house" auf Japanisch?, DE
            How do I say “ich habe es nicht gesehen und du auch nicht” in Dutch?, EN
            Traduci «where is the station and when does it open» in tedesco per favore., IT
            次の文を訳してください：「Where is the station and when does it open?」, JA
            Wie berechne ich \\(\\text{the sum of all the values}\\)?, DE
            Waarom staat er niets in /usr/share/the/path/of/what/it/is/for/you.txt?, NL
            """)
    void quotationsFormulasAndPathsDoNotTellWhichLanguageAUserSpeaks(String message, SummaryLanguage language) {
        assertThat(LanguageDetector.of(message)).isEqualTo(language);
    }

    /// 40 messages of two to twelve words in each language of Latin letters, by a session that had not seen the
    /// detector. The weights were found on every second one.
    @Test
    void shortMessagesTellTheirLanguage() {
        var messages = WordList.text(LanguageDetectorTest.class, "/describe/short-messages.tsv")
                .lines()
                .map(line -> line.split("\t"))
                .toList();

        var told = messages.stream()
                .filter(cells ->
                        SummaryLanguage.valueOf(cells[0]).equals(LanguageDetector.of(cells[1].replace("\\n", "\n"))))
                .collect(Collectors.groupingBy(cells -> cells[0], Collectors.counting()));

        assertThat(messages).hasSize(360);
        assertThat(told)
                .hasSize(9)
                .allSatisfy((language, right) -> assertThat(right).as(language).isGreaterThanOrEqualTo(33));
        assertThat(told.values().stream().mapToLong(Long::longValue).sum()).isGreaterThanOrEqualTo(340);
    }
}
