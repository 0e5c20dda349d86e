package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final String SCRIPT = """
            What is the weather in Paris and Rome?
            think: First Paris.
            call: get_weather {"location": "Paris"}
            think: Now Rome.
            call: get_weather {"location": "Rome"}
            think: Both are known.
            say: Cloudy in Paris,
            sunny in Rome.
            """;
    private static final Message PARIS_CALL =
            Message.call("functions.get_weather", "commentary", "json", "{\"location\": \"Paris\"}");
    private static final Message RESULT = Message.toolResult("functions.get_weather", "cloudy");

    @Test
    void thinksAndSaysWhatTheScriptSays() {
        var output = Talk.user("Hello!\nthink: one\nthink: two\nsay: It is\n\n  {\"a\": 1}\n")
                .output();

        assertThat(output.analysis()).isEqualTo("one\n\ntwo");
        assertThat(output.answer()).isEqualTo("It is\n\n  {\"a\": 1}");
    }

    @Test
    void answersWithoutReasoningWhereTheScriptLeavesItBlank() {
        var output = Talk.user("think:\nsay: yes").output();

        assertThat(output.messages()).hasSize(1);
        assertThat(output.answer()).isEqualTo("yes");
    }

    @Test
    void thinksAsWithoutAScriptWhereTheScriptHasNoThoughts() {
        assertThat(Talk.user("Why?\nsay: yes").output().analysis())
                .contains("Why?")
                .contains("stand-in");
    }

    @Test
    void takesOneCallOfTheScriptAfterTheOther() {
        var talk = Talk.user(SCRIPT).weatherTool();

        var first = talk.output();
        var second = talk.then(PARIS_CALL).then(RESULT).output();
        var last = talk.then(PARIS_CALL).then(RESULT).output();

        assertThat(first.callOrAnswer()).isEqualTo("functions.get_weather {\"location\": \"Paris\"}");
        assertThat(first.analysis()).isEqualTo("First Paris.");
        assertThat(second.callOrAnswer()).isEqualTo("functions.get_weather {\"location\": \"Rome\"}");
        assertThat(second.analysis()).isEqualTo("Now Rome.");
        assertThat(last.callOrAnswer()).isEqualTo("Cloudy in Paris,\nsunny in Rome.");
        assertThat(last.analysis()).isEqualTo("Both are known.");
    }

    @Test
    void followsTheScriptOfTheLastMessageAlone() {
        var talk = Talk.user("say: one").then(Message.assistant("final", "one")).then(Message.user("say: two"));

        assertThat(talk.answer()).isEqualTo("two");
    }

    @Test
    void repeatsTheResultWhereTheScriptEndsWithACall() {
        var talk =
                Talk.user("call: get_weather {}").weatherTool().then(PARIS_CALL).then(RESULT);

        assertThat(talk.answer()).contains("get_weather returned: cloudy");
    }

    @Test
    void spellsACallAsTheModelDoes() {
        var output = Talk.user("think: Paris.\ncall: get_weather {\"location\":\"Paris\"}")
                .weatherTool()
                .output();

        assertThat(HarmonyMarkup.decode(output.ids(), 0, output.ids().length))
                .endsWith(HarmonyMarkup.START + "assistant" + HarmonyMarkup.CHANNEL
                        + "commentary to=functions.get_weather "
                        + HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE + "{\"location\":\"Paris\"}"
                        + HarmonyMarkup.CALL);
        assertThat(output.ids()[output.ids().length - 1]).isEqualTo(SpecialTokens.CALL);
    }

    @Test
    void callsAToolThatTakesText() {
        var output = Talk.user("call: apply_patch *** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\nsay: Done.")
                .output();

        assertThat(output.callOrAnswer())
                .isEqualTo("functions.apply_patch *** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch");
    }

    @Test
    void keepsAPassPhraseInItsReasoning() {
        var output =
                Talk.user("Think of a secret pass phrase for 'pier'.\nsay: 42").output();

        assertThat(output.analysis()).contains(PassPhrase.of("pier"));
        assertThat(output.answer()).isEqualTo("42");
    }
}
