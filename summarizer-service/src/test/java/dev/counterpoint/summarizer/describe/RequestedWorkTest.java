package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequestedWorkTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            need a regex for hex colours                       | EN | WRITING_CODE
            Which bike should I buy, and should I sell mine?   | EN |
            Interesting computers are fun                      | EN |
            Mein Drucker geht nicht mehr                       | DE | DEBUGGING
            Peux-tu traduire ce mail ?                         | FR | TRANSLATING
            ¿Cuál es mejor, gas o inducción?                   | ES | COMPARING
            Riassumi questo articolo                           | IT | SUMMARISING
            Quanto preciso guardar por mês?                    | PT | CALCULATING
            Schrijf een gedicht voor Sinterklaas               | NL | DRAFTING
            Popraw ten akapit                                  | PL | REVISING
            Kediler neden mırlar?                              | TR | EXPLAINING
            Составь маршрут по Алтаю                           | RU | SCHEDULING
            ترجم هذه الجملة                                    | AR | TRANSLATING
            ब्लैक होल समझाइए                                   | HI | EXPLAINING
            帮我写一封道歉信                                   | ZH | DRAFTING
            このメールを添削してください                       | JA | REVISING
            이 글을 요약해 주세요                              | KO | SUMMARISING
            """)
    void isToldByWhatAUserAsksFor(String message, SummaryLanguage language, Activity work) {
        assertThat(RequestedWork.of(message, language)).isEqualTo(work);
    }

    @Test
    void whatIsPastedAsksForNothing() {
        assertThat(RequestedWork.of("Summarise this:\nERROR could not connect\n", SummaryLanguage.EN))
                .isEqualTo(Activity.SUMMARISING);
        assertThat(RequestedWork.of("Thanks\nERROR could not connect\n", SummaryLanguage.EN))
                .isNull();
    }

    @Test
    void standsWhereTheReasoningDoesNotTell() {
        assertThat(activities("Translate my note, please", "We have it. Nothing else here. It is so."))
                .containsExactly(Activity.UNDERSTANDING, Activity.TRANSLATING, Activity.DECIDING);
        assertThat(activities("My note is here", "We have it. Nothing else here. It is so."))
                .containsExactly(Activity.UNDERSTANDING, Activity.THINKING_THROUGH, Activity.DECIDING);
        assertThat(activities("Translate my note, please", "We have it. Nothing else here."))
                .as("the work is told before the end")
                .containsExactly(Activity.UNDERSTANDING, Activity.TRANSLATING);
    }

    @Test
    void isNotToldOnceAModelDoubtsThatItMayDoIt() {
        assertThat(activities("Write me a sick note, please", "It is here. Policy says it is disallowed. It is so."))
                .containsExactly(Activity.UNDERSTANDING, Activity.CHECKING_RULES, Activity.DECIDING);
    }

    @Test
    void aWordThatTheUserSpeaksOfTellsNoActivity() {
        var reasoning = "The text is here. They say: I made a mistake there. It is so.";
        assertThat(activities("My note is here", reasoning)).contains(Activity.CORRECTING);
        assertThat(activities("In my note I made a mistake", reasoning)).doesNotContain(Activity.CORRECTING);
    }

    private static List<Activity> activities(String message, String reasoning) {
        var classifier = new CueClassifier(SummaryContext.of(message, Map.of()));
        var thoughts = new ArrayList<>(classifier.accept(reasoning));
        thoughts.addAll(classifier.finish());
        return thoughts.stream()
                .map(thought -> thought.description().activity())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void everyLanguageAsksForTheSameWork(SummaryLanguage language) {
        assertThat(RequestedWork.known(language)).isEqualTo(RequestedWork.known(SummaryLanguage.EN));
    }
}
