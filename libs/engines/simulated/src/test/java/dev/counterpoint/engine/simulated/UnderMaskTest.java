package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
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
    void fillsASchemaThatOnlyTheMaskKnows() {
        var output = Talk.user("Ada is 36 years old and likes green.")
                .mask(new PatternMask(FINAL + PERSON + HarmonyMarkup.RETURN))
                .output();

        var json = Talk.json(output.answer());
        assertThat(json.get("name").asText()).isEqualTo("Ada");
        assertThat(json.get("age").asInt()).isEqualTo(36);
        assertThat(json.get("color").asText()).isIn("red", "green");
    }

    @Test
    void reasonsFreelyBeforeAConstrainedAnswer() {
        var output = Talk.user("Ada is 36 years old and likes green.")
                .mask(new PatternMask(ANALYSIS + FINAL + PERSON + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.analysis()).contains("Ada is 36 years old");
        assertThat(Talk.json(output.answer()).get("name").asText()).isEqualTo("Ada");
    }

    @Test
    void writesItsJsonWithTheSpacesTheMaskWants() {
        var output = Talk.user("Ada is 36 years old.")
                .schema("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"inte"
                        + "ger\"}},"
                        + "\"required\":[\"name\",\"age\"]}")
                .mask(new PatternMask(FINAL + "\\{ \"name\": \"[^\"]+\",\n  \"age\": \\d+ \\}" + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.answer()).isEqualTo("{ \"name\": \"Ada\",\n  \"age\": 36 }");
    }

    @Test
    void callsAToolWhenTheMaskRequiresACall() {
        var output = Talk.user("Hello from Paris")
                .weatherTool()
                .mask(new PatternMask(ANALYSIS + HarmonyMarkup.CHANNEL + "commentary to=functions\\.[a-z_]+ "
                        + HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE + "\\{[^\uF8E0-\uF8E7]*\\}"
                        + HarmonyMarkup.CALL))
                .output();

        assertThat(output.callOrAnswer()).isEqualTo("functions.get_weather {\"location\":\"Paris\"}");
    }

    @Test
    void callsTheNamedToolAlsoWhenAnotherFitsBetter() {
        var output = Talk.user("What is the weather in Paris?")
                .weatherTool()
                .tool(
                        "get_time",
                        "Gets the time in a city.",
                        "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]"
                                + "}")
                .mask(new PatternMask(ANALYSIS + HarmonyMarkup.CHANNEL + "commentary to=functions\\.get_time "
                        + HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE + "\\{\"city\":\"[A-Za-z ]+\"\\}"
                        + HarmonyMarkup.CALL))
                .output();

        assertThat(output.callOrAnswer()).isEqualTo("functions.get_time {\"city\":\"Paris\"}");
    }

    @Test
    void answersInWordsWhenTheMaskForbidsACall() {
        var output = Talk.user("What is the weather in Paris?")
                .weatherTool()
                .mask(new PatternMask(ANALYSIS + FINAL + "[^\uF8E0-\uF8E7]*" + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.answer()).contains("weather", "Paris");
    }

    @Test
    void endsItsReasoningWhereTheMaskCutsIt() {
        var output = Talk.user("What is 17 plus 25?")
                .mask(new PatternMask(
                        HarmonyMarkup.CHANNEL + "analysis" + HarmonyMarkup.MESSAGE + "[^\uF8E0-\uF8E7]{10,40}"
                                + HarmonyMarkup.END + HarmonyMarkup.START + "assistant" + FINAL + "[^\uF8E0-\uF8E7]*"
                                + HarmonyMarkup.RETURN))
                .output();

        assertThat(output.analysis()).hasSizeBetween(10, 40);
        assertThat(output.answer()).isEqualTo("17 + 25 = 42.");
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
    void spellsBannedTokensInAnotherWay() {
        // Given
        var bans = new HashMap<Integer, Double>();
        for (int id : Talk.encode(" strawberry")) {
            bans.put(id, -100.0);
        }

        // When
        var output = Talk.user("Say I like strawberry jam")
                .sampling(Sampling.GREEDY.withLogitBias(bans))
                .output();

        // Then
        assertThat(output.answer()).isEqualTo("I like strawberry jam");
        assertThat(output.ids()).doesNotContain(Talk.encode(" strawberry"));
    }
}
