package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

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
            ```# Сортирует список по убыванию```, RU
            ```return the sum of the values,      EN
            """)
    void nothingButCodeIsReadAsItIs(String message, SummaryLanguage language) {
        assertThat(LanguageDetector.of(message)).isEqualTo(language);
    }
}
