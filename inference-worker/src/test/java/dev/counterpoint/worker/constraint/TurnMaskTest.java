package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnMaskTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final String CITY = """
            {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9}},\
            "required":["city","days"],"additionalProperties":false}""";
    private static final List<TurnRules.Call> CALLS =
            List.of(call("functions.get", null, false), call("functions.get_weather", CITY, true));
    private static final TurnRules FREE = new TurnRules(true, true, CALLS, null);
    private static final TurnRules FORCED = new TurnRules(true, false, CALLS, null);
    private static final TurnRules STRICT =
            new TurnRules(true, true, CALLS, new ResponseFormat("city", null, CITY, true));
    private static final TurnRules SPEECHLESS = new TurnRules(false, true, List.of(), null);

    private static TurnRules.Call call(String recipient, @Nullable String parameters, boolean strict) {
        return new TurnRules.Call(recipient, new FunctionTool(recipient, "", parameters, strict));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.get <|constrain|>json<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get<|constrain|>json<|message|>{\"a\":[1, {}]}<|call|>",
                "<|channel|>analysis<|message|>Go to=work.<|end|><|start|>assistant to=functions.get"
                        + "<|channel|>commentary<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get_weather code<|message|>"
                        + "{\"city\": \"Rom\", \"days\": 3}<|call|>",
                "<|channel|>analysis to=functions.get_weather json<|message|>"
                        + "{\"city\":\"Rom\",\"days\":-12}<|call|>",
                "<|channel|>commentary to=functions.get<|message|>{}<|call|>",
                "<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant"
                        + "<|channel|>commentary to=functions.get <|message|>{}<|call|>",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
                "<|channel|>final<|message|>One.<|end|><|start|>assistant<|channel|>final<|message|>Two.<|return|>",
            })
    void aTurnMayComeInEverySpelling(String text) {
        accept(mask(FREE), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.get_time <|constrain|>json",
                "<|channel|>commentary to=functions.getaway <|constrain|>json",
                "<|channel|>commentary to=python code",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=browser.search<|channel|>analysis",
                "<|channel|>analysis to=functions.get_weather_now <|message|>",
                "<|channel|>commentary to=functions.get_weather<|message|>{\"town\"",
                "<|channel|>commentary to=functions.get_weather<|message|>{\"city\":\"Rom\",\"days\":10",
                "<|channel|>commentary to=functions.get_weather<|message|>{\"city\":\"Rom\",\"days\":1,",
                "<|channel|>commentary to=functions.get_weather<|message|>{\"city\":\"Rom\",\"days\":1}<|return|>",
                "<|channel|>commentary to=functions.get<|message|>{} ",
                "<|channel|>analysis<|message|>Hm.<|return|>",
                "<|channel|>analysis<|message|>Hm.<|channel|>",
                "<|message|>",
                "Hello",
            })
    void nothingElseMayCome(String text) {
        assertThatThrownBy(() -> accept(mask(FREE), text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTurnThatMustCallHasNoAnswer() {
        assertThatThrownBy(() -> accept(mask(FORCED), "<|channel|>final<|message|>"))
                .isInstanceOf(IllegalArgumentException.class);
        accept(mask(FORCED), "<|channel|>commentary to=functions.get <|constrain|>json<|message|>{}<|call|>");
    }

    @Test
    void aTurnWithoutReasoningHasNoAnalysisAndWithoutFunctionsNoRecipient() {
        assertThatThrownBy(() -> accept(mask(SPEECHLESS), "<|channel|>analysis"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> accept(mask(SPEECHLESS), "<|channel|>commentary to"))
                .isInstanceOf(IllegalArgumentException.class);
        accept(mask(SPEECHLESS), "<|channel|>final<|message|>I go to=work.<|return|>");
    }

    @Test
    void anAnswerKeepsToItsSchemaAndEndsWhereItIsWhole() {
        // Given
        var mask = mask(STRICT);
        // When
        accept(mask, "<|channel|>final <|constrain|>json<|message|>{\"city\": \"Paris\", \"days\": 7}");
        // Then
        assertThat(BitSet.valueOf(mask.allowed()).stream()).containsExactly(SpecialTokens.RETURN);
        assertThatThrownBy(() -> accept(mask(STRICT), "<|channel|>final<|message|>Paris"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whereOneTextAloneMayComeTheModelIsLedThroughIt() {
        // Given
        var mask = mask(new TurnRules(true, true, CALLS.subList(1, 2), null));
        accept(mask, "<|channel|>commentary to");
        var name = IntStream.builder();
        // When
        for (int i = 0; i < 40; i++) {
            int next = BitSet.valueOf(mask.allowed()).stream()
                    .filter(token -> "=functions.get_weather".contains(TOKENIZER.decode(new int[] {token})))
                    .reduce(-1, (best, token) -> best < 0 || length(token) > length(best) ? token : best);
            if (next < 0) {
                break;
            }
            name.add(next);
            mask.accept(next);
        }
        // Then
        assertThat(TOKENIZER.decode(name.build().toArray())).isEqualTo("=functions.get_weather");
    }

    private static int length(int token) {
        return TOKENIZER.bytes(token).length;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whoeverChoosesAmongWhatMayComeNeverGetsStuck(int seed) {
        // Given
        var random = new Random(seed);
        var mask = mask(seed % 2 == 0 ? STRICT : FORCED);
        int last = -1;
        // When
        for (int i = 0; i < 2_000 && !SpecialTokens.endsSampling(last); i++) {
            var may = BitSet.valueOf(mask.allowed()).stream().toArray();
            // Then
            assertThat(may).isNotEmpty();
            last = may[random.nextInt(may.length)];
            mask.accept(last);
        }
    }

    @Test
    void aStrictSchemaThatCannotBeEnforcedIsRefused() {
        // Given
        var format = new ResponseFormat("x", null, "{\"type\":\"banana\"}", true);
        // When, Then
        assertThatThrownBy(() -> mask(new TurnRules(true, true, List.of(), format)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\"",
                "{\"answer\": \"x\", \"b\": {\"answer\": []}, \"answer\"",
                "{\"a\":[{\"b\":1,\"c\":2,\"b\"",
                "{\"a\":\"}\\\",\",\"b\":{},\"a\"",
                "{\"\":1,\"\"",
            })
    void noKeyComesTwiceInAnOpenObject(String text) {
        var json = new ResponseFormat("json_object", null, null, true);
        var answer = mask(new TurnRules(true, true, List.of(), json));

        assertThatThrownBy(() -> accept(mask(FREE), "<|channel|>commentary to=functions.get<|message|>" + text))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> accept(answer, "<|channel|>final<|message|>" + text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyMayComeOnceInEachObject() {
        accept(
                mask(FREE),
                "<|channel|>commentary to=functions.get<|message|>"
                        + "{\"a\":{\"a\":\"a\"},\"b\":[\"a\",\"a\",{\"a\":{}},{\"a\":[]}],"
                        + "\"ab\":\"\\\",\\\"a\\\":\",\"c\":1}<|call|>");
        accept(mask(FREE), "<|channel|>final<|message|>{\"a\":1,\"a\":2}<|return|>");
    }

    @Test
    void noneOfManyOptionalPropertiesComesTwiceInAnOpenObject() {
        var names = IntStream.range(0, 80).mapToObj(i -> "\"p" + i + "\":{}").collect(Collectors.joining(","));
        var schema = "{\"type\":\"object\",\"properties\":{" + names + "}}";
        var rules = new TurnRules(true, true, List.of(call("functions.f", schema, false)), null);

        assertThatThrownBy(() -> accept(
                        mask(rules), "<|channel|>commentary to=functions.f<|message|>{\"p79\":1,\"p3\":1,\"p79\":"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whereASchemaLeavesNoOtherNameAKeyMayComeAgain() {
        var schema = "{\"type\":\"object\",\"patternProperties\":{\"^a$\":{}},\"additionalProperties\":false}";
        var rules = new TurnRules(true, true, List.of(call("functions.f", schema, false)), null);

        accept(mask(rules), "<|channel|>commentary to=functions.f<|message|>{\"a\":1, \"a\":2}<|call|>");
    }

    private static TokenMask mask(TurnRules rules) {
        return new TurnMask(TurnConstraints.shared().of("tenant", rules), rules);
    }

    private static void accept(TokenMask mask, String text) {
        for (int token : Spelled.tokens(text)) {
            if (!TokenMask.allows(mask.allowed(), token)) {
                throw new IllegalArgumentException("not allowed: " + TOKENIZER.decode(new int[] {token}));
            }
            mask.accept(token);
        }
    }

    @Test
    void theWarmUpFollowsItsOwnExample() {
        Constraints.warmUp();
    }
}
