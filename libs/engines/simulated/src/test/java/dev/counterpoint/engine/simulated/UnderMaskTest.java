package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the engine says where a mask wants something else than it does.
@Timeout(120)
class UnderMaskTest {
    private static final String FINAL = HarmonyMarkup.CHANNEL + "final" + HarmonyMarkup.MESSAGE;
    private static final String ANALYSIS = HarmonyMarkup.CHANNEL + "analysis" + HarmonyMarkup.MESSAGE
            + "[^\uF8E0-\uF8E7]*" + HarmonyMarkup.END + HarmonyMarkup.START + "assistant";
    private static final String PERSON = "\\{\"name\":\"[^\"\\\\\\x00-\\x1f]{1,20}\",\"age\":\\d{1,3},\"color\":\""
            + "(?:red|green)\",\"tags\":\\[(?:\"[a-z ]{1,9}\"(?:,\"[a-z ]{1,9}\")*)?\\]\\}";

    @Test
    void endsWithAShortValueOfTheSchemaThatOnlyTheMaskKnows() {
        var output = Talk.user("Ada is 36 years old and likes green.")
                .mask(new PatternMask(ANALYSIS + FINAL + PERSON + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.analysis()).contains("Ada is 36 years old");
        assertThat(output.answer()).isEqualTo("{\"name\":\"a\",\"age\":0,\"color\":\"red\",\"tags\":[]}");
    }

    @Test
    void saysItsScriptWhereTheMaskTakesIt() {
        var answer = "{\"name\":\"Ada\",\"age\":36,\"color\":\"green\",\"tags\":[\"b\"]}";

        assertThat(Talk.user("say: " + answer)
                        .mask(new PatternMask(FINAL + PERSON + HarmonyMarkup.RETURN))
                        .answer())
                .isEqualTo(answer);
    }

    @Test
    void endsAScriptShortlyFromWhereTheMaskForbidsIt() {
        var output = Talk.user("say: {\"name\":\"Ada\",\"age\":\"old\"}")
                .mask(new PatternMask(FINAL + PERSON + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.answer()).isEqualTo("{\"name\":\"Ada\",\"age\":0,\"color\":\"red\",\"tags\":[]}");
    }

    @Test
    void callsAToolWhenTheMaskRequiresACall() {
        var output = Talk.user("Hello from Paris")
                .weatherTool()
                .mask(new PatternMask(ANALYSIS + HarmonyMarkup.CHANNEL + "commentary to=functions\\.get_weather "
                        + HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE + "\\{\"location\":\"[A-Za-z ]+\"\\}"
                        + HarmonyMarkup.CALL))
                .output();

        assertThat(output.analysis()).contains("Hello from Paris");
        assertThat(output.callOrAnswer()).isEqualTo("functions.get_weather {\"location\":\"a\"}");
    }

    @Test
    void answersInWordsWhenTheMaskForbidsReasoning() {
        var output = Talk.user("think: hm\nsay: yes")
                .mask(new PatternMask(FINAL + "[^\uF8E0-\uF8E7]*" + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.messages()).hasSize(1);
        assertThat(output.answer()).isEqualTo("yes");
    }

    @Test
    void endsItsReasoningWhereTheMaskCutsIt() {
        var output = Talk.user("think: one two three four five six seven eight nine ten\nsay: 42")
                .mask(new PatternMask(
                        HarmonyMarkup.CHANNEL + "analysis" + HarmonyMarkup.MESSAGE + "[^\uF8E0-\uF8E7]{10,40}"
                                + HarmonyMarkup.END + HarmonyMarkup.START + "assistant" + FINAL + "[^\uF8E0-\uF8E7]*"
                                + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.analysis()).hasSizeBetween(10, 40);
        assertThat(output.answer()).isEqualTo("42");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties':{'tags':{'type':'array'}},'required':['tags']}",
                "{'properties':{'a':{'properties':{'b':{'type':'string'}},'required':['b']}},'required':['a']}",
                "{'properties':{'a':{'$ref':'#/$defs/x'}},'required':['a'],'$defs':{'x':{'enum':['p','q']}}}",
                "{'properties':{'a':{'anyOf':[{'type':'number'},{'type':'null'}]}},'required':['a']}",
                "{'properties':{'a':{'const':{'k':[1,2]}}},'required':['a']}",
                "{'properties':{'a':{'enum':['p','q']},'b':{}},'required':['a','b']}",
                "{'properties':{'next':{'$ref':'#'}},'required':['value']}",
            })
    void endsAnOpenObjectOnceItHasWhatIsRequired(String properties) {
        var schema = properties.replace('\'', '"').replaceFirst("[{]", "{\"type\":\"object\",");

        var output = Talk.user("What is the meaning of 42?")
                .maxTokens(500)
                .loose(schema)
                .output();

        assertThat(output.ids()).endsWith(SpecialTokens.RETURN);
        var answer = Talk.json(output.answer());
        Talk.json(schema)
                .path("required")
                .forEach(name -> assertThat(answer.has(name.asText())).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\{\"a\":\\{\"b\":\\[(?:-?\\d+,)*-?\\d+\\],\"c\":(?:true|false)\\},\"d\":(?:null|\"[a-z]*\")\\}",
                "\\[(?:\"[a-z]{3}\")(?:,\"[a-z]{3}\"){2,4}\\]",
                "\"(?:alpha|beta|gamma delta)\"",
                "-?\\d+\\.\\d\\d",
                "\\{(?:\"[a-z]+\":\"[^\"]*\"(?:,\"[a-z]+\":\"[^\"]*\")*)?\\}",
                "(?:yes|no), because [a-z ]{5,30}\\.",
            })
    void finishesWhateverTheMaskWants(String pattern) throws InterruptedException {
        var talk = Talk.user("What is the meaning of 42?")
                .maxTokens(200)
                .mask(new PatternMask(FINAL + pattern + HarmonyMarkup.RETURN));

        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("m"))) {
            var pulled = GenerationPull.all(engine, talk.request());

            assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
        }
    }

    @Test
    void resumesAtEveryPositionUnderTheSameMask() throws InterruptedException {
        var pattern = FINAL + PERSON + HarmonyMarkup.RETURN;
        var talk = Talk.user("Ada is 36 years old and likes green.");
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("m"))) {
            // Given
            int[] whole = GenerationPull.all(
                            engine, talk.mask(new PatternMask(pattern)).request())
                    .ids();

            for (int cut = 0; cut <= whole.length; cut++) {
                // When
                talk.mask(new PatternMask(pattern));
                int[] rest = GenerationPull.all(engine, talk.request(Arrays.copyOf(whole, cut)))
                        .ids();

                // Then
                assertThat(rest).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, whole.length));
            }
        }
    }

    @Test
    void leavesBannedTokensOut() {
        // Given
        var bans = new HashMap<Integer, Double>();
        for (int id : Talk.encode(" strawberry")) {
            bans.put(id, -100.0);
        }

        // When
        var output = Talk.user("say: I like strawberry jam")
                .sampling(Sampling.GREEDY.withLogitBias(bans))
                .output();

        // Then
        assertThat(output.answer()).isEqualTo("I like jam");
    }
}
