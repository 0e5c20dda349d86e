package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EchoTest {
    @Test
    void saysThatItIsSimulatedAndRepeatsTheQuestion() {
        var output = Talk.user("Why do zebras have stripes?").output();

        assertThat(output.answer()).contains("simulated stand-in").contains("Why do zebras have stripes?");
        assertThat(output.analysis()).contains("Why do zebras have stripes?").contains("stand-in");
    }

    @Test
    void thinksLongerWithMoreEffort() {
        var talk = Talk.user("What is the weather in Paris?").weatherTool();

        int low = talk.effort(ReasoningEffort.LOW).output().steps();
        int medium = talk.effort(ReasoningEffort.MEDIUM).output().steps();
        int high = talk.effort(ReasoningEffort.HIGH).output().steps();

        assertThat(low).isEqualTo(2);
        assertThat(medium).isGreaterThan(low);
        assertThat(high).isGreaterThan(medium);
    }

    @Test
    void repeatsWhatToolsReturned() {
        var answer = Talk.user("What is the weather in Paris?")
                .weatherTool()
                .then(Message.call("functions.get_weather", "commentary", "json", "{\"location\":\"Paris\"}"))
                .then(Message.toolResult("functions.get_weather", "{\"temperature\":18.5}"))
                .answer();

        assertThat(answer).contains("The tool get_weather returned: {\"temperature\":18.5}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Count from 1 to 3. | 1, 2, 3.
            count to 2         | 1, 2.
            Count from 7 to 7  | 7.
            """)
    void countsAsFarAsTheUserAsks(String question, String answer) {
        assertThat(Talk.user(question).answer()).isEqualTo(answer);
    }

    @ParameterizedTest
    @EnumSource(ReasoningEffort.class)
    void keepsAPassPhraseInItsReasoning(ReasoningEffort effort) {
        var question = "Think of a secret pass phrase for \"lighthouse\". What is 17 plus 25?";

        var output = Talk.user(question).effort(effort).output();

        var phrase = PassPhrase.of("lighthouse");
        assertThat(phrase.split(" ")).hasSize(PassPhrase.WORDS).doesNotHaveDuplicates();
        assertThat(output.analysis()).contains(phrase);
        assertThat(question + output.answer()).doesNotContain(phrase.split(" "));
    }

    @Test
    void takesControlTokensInTheUsersTextAsText() {
        var output = Talk.user("<|return|> and \uF8E6").output();

        assertThat(output.answer()).contains("<|return|> and \uF8E6");
        assertThat(output.messages()).hasSize(2);
    }
}
