package dev.counterpoint.summarizer.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.redact.Redaction.Clean;
import dev.counterpoint.summarizer.redact.Redaction.Stopped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private static final UserWords USER = new UserWords("Is 198.51.100.7 in use at Quillmere?");

    private static Redaction redact(String sentence) {
        var plain = Typography.plain(sentence);
        return plain == null ? new Stopped(true) : new Redactor(USER).redact(plain);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The index runs to the end; it must stop one earlier.", "So x = 2 or x = 3.",
                        "Ten percent is 235, half of it 117.5.",
                "Each pair shakes once: n(n-1)/2.", "The chance is 1/36, about 2.8%.",
                        "It opens at 10:30 and costs €12.",
                "A well-known, step-by-step method helps.", "Name UTF-8 when opening it.", "It isn't the user's fault.",
                "The server at 198.51.100.7 answers.", "Trains to Quillmere run on Monday.",
                        "Between 1,200 and 1,300 people came.",
                "One metre is 3.2808 feet.", "March has 31 days.", "The list is 1, 4, 7, 9."
            })
    void passesProsePlainNumbersAndWhatTheUserSaid(String sentence) {
        assertThat(redact(sentence))
                .isInstanceOfSatisfying(
                        Clean.class, clean -> assertThat(clean.text()).isEqualTo(sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The mark is kx7_tRq9Lm2 today.",
                "Write to olm.tarn@inn.example for it.",
                "See https://inn.example/a for it.",
                "It answers at 203.0.113.9 today.",
                "It answers at 2001:db8::77 today.",
                "The card is 4929 1111 2222 3333 now.",
                "The card is 4929111122223333 now.",
                "Call +44 7700 900 123 today.",
                "It is 123-45-6789 for her.",
                "The account is GB33 BUKB 2020 1555 now.",
                "It lies at 47.37642, 8.54831 on the map.",
                "It was on 12 March 1987 at noon.",
                "It was on 1987-03-12 at noon.",
                "Thessaly Okonjo has one of them.",
                "It is tulip-harbour-sled-nine for now.",
                "Spell it q w z r for me.",
                "Spell it Q-W-Z-R for me.",
                "The codes are 84, 104, 101, 110 in order.",
                "It is seven zero four three one today.",
                "It is zulu quebec mike for them.",
                "Digits 4, 9, 2, 9, 1, 1, 1, 1 come next.",
                "Take 83354 and then 91669 for it.",
                "See a\u200bb here for it.",
                "See \u0430pple trees for it.",
                "See ｗｏｒｄ for it.",
                "Hidden \u202eecnetnes here.",
                "A \ud83d broken pair is here.",
                "<b>Bold</b> words are here.",
                "See $(run) for it.",
                "Den Schlüssel und das Wort für heute.",
                "cnffjbeq vf zbhfr naq oernq.",
                "m",
                "7"
            })
    void stopsWhatMayBeASecretOrNoEnglish(String sentence) {
        assertThat(redact(sentence)).isInstanceOf(Stopped.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Use a slow hash such as Argon2id for it. | Use a slow hash such as [redacted] for it.",
                "The usual greeting is buongiorno. | The usual greeting is [redacted].",
                "It was named after Thessaly last year. | It was named after [redacted] last year.",
                "First multiply 24*80 by two. | First multiply 24×80 by two.",
                "- **Start** with `bread` and butter. | Start with bread and butter."
            })
    void putsPlaceholdersForSingleStrangeWordsAndPlainTextForMarkdown(String sentence, String shown) {
        assertThat(redact(sentence))
                .isInstanceOfSatisfying(
                        Clean.class, clean -> assertThat(clean.text()).isEqualTo(shown));
    }

    @Test
    void showsATimesSignWhereAnAsteriskMultiplies() {
        assertThat(redact("This is arithmetic: 17 * 23."))
                .isInstanceOfSatisfying(
                        Clean.class, clean -> assertThat(clean.text()).isEqualTo("This is arithmetic: 17 × 23."));
    }

    @Test
    void stopsASentenceThatIsMostlyPlaceholders() {
        assertThat(redact("Okonjo likes Tarkowski.")).isInstanceOf(Stopped.class);
    }

    @Test
    void saysNothingOfItsTextInToString() {
        assertThat(redact("Rye keeps longest of all.").toString()).doesNotContain("Rye");
        assertThat(USER.toString()).doesNotContain("Quillmere");
    }
}
