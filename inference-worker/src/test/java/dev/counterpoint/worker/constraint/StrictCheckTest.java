package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.prompt.DeclaredFunctions;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictCheckTest {
    private static final String CITY = """
            {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9}},\
            "required":["city","days"],"additionalProperties":false}""";
    private static final List<FunctionTool> TOOLS =
            List.of(new FunctionTool("strict", "", CITY, true), new FunctionTool("loose", "", CITY, false));
    private static final ResponseFormat STRICT = new ResponseFormat("city", null, CITY, true);
    private static final ResponseFormat JSON_MODE = new ResponseFormat("json", null, null, false);
    private static final ToolChoice REQUIRED = new ToolChoice(ToolChoice.Mode.REQUIRED, null);
    private static final ToolChoice STRICT_CALL = new ToolChoice(ToolChoice.Mode.FUNCTION, "strict");
    private static final String FINAL = "<|channel|>final<|message|>";
    private static final String TO = "<|channel|>commentary to=functions.";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"city":"Rom","days":3}               | true
            {"days": 3, "city": "Rom"}            | true
            \\n{ "city" : "Rom",\\n\\t"days":3 }\\n   | true
            {"city":"Rom"}                        | false
            {"city":"Rom","days":10}              | false
            {"city":"Rom","days":3}{}             | false
            {"city":"Rom","days":3                | false
            Sure: {}                              | false
            """)
    void anAnswerKeepsToItsSchemaInAnyOrderOfItsProperties(String text, boolean holds) {
        var written = text.replace("\\n", "\n").replace("\\t", "\t");

        assertThat(holds(job(List.of(), ToolChoice.AUTO, STRICT), FINAL + written + "<|return|>"))
                .isEqualTo(holds);
    }

    @Test
    void aFinalMessageToNoToolIsTheAnswerThatIsChecked() {
        var job = job(List.of(), ToolChoice.AUTO, STRICT);
        var to = "<|channel|>final to=user<|message|>";

        assertThat(holds(job, to + "{\"city\":\"Rom\",\"days\":3}<|return|>")).isTrue();
        assertThat(holds(job, to + "{\"city\":\"Rom\"}<|return|>")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3, true", "10, false"})
    void theCallsInsideAParallelCallKeepToTheirSchemas(int days, boolean holds) {
        var parallel = "<|channel|>commentary to=multi_tool_use.parallel<|message|>{\"tool_uses\":[{\"recipient_name\":"
                + "\"functions.strict\",\"parameters\":{\"city\":\"Rom\",\"days\":" + days + "}}]}<|call|>";

        assertThat(holds(job(TOOLS, REQUIRED, null), parallel)).isEqualTo(holds);
    }

    @Test
    void noArgumentsAreAnEmptyObject() {
        var tool = new FunctionTool(
                "strict",
                "",
                "{\"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false}",
                true);

        assertThat(holds(job(List.of(tool), REQUIRED, null), TO + "strict<|message|><|call|>"))
                .isTrue();
        assertThat(holds(job(TOOLS, REQUIRED, null), TO + "strict<|message|><|call|>"))
                .isFalse();
    }

    @Test
    void inJsonModeAnyObjectIsRight() {
        var job = job(List.of(), ToolChoice.AUTO, JSON_MODE);

        assertThat(holds(job, FINAL + "{\"a\":[1]}<|return|>")).isTrue();
        assertThat(holds(job, FINAL + "[1]<|return|>")).isFalse();
        assertThat(holds(job, FINAL + "yes<|return|>")).isFalse();
    }

    @Test
    void onlyStrictArgumentsAreChecked() {
        var job = job(TOOLS, ToolChoice.AUTO, null);

        assertThat(holds(job, TO + "strict <|constrain|>json<|message|>{\"city\":\"Rom\",\"days\":1}<|call|>"))
                .isTrue();
        assertThat(holds(job, TO + "strict <|constrain|>json<|message|>{\"town\":1}<|call|>"))
                .isFalse();
        assertThat(holds(job, TO + "loose <|constrain|>json<|message|>{\"town\":1}<|call|>"))
                .isTrue();
        assertThat(holds(job, FINAL + "anything<|return|>")).isTrue();
        assertThat(holds(job, "<|channel|>analysis<|message|>{\"town\"")).isTrue();
    }

    @Test
    void anInputKeepsToItsGrammar() {
        var input = new InputGrammar(InputGrammar.Syntax.REGEX, "[a-z]+ [0-9]");
        var tool = new FunctionTool("pick", "", null, false, input, false);
        var job = job(List.of(tool), ToolChoice.AUTO, null);

        assertThat(holds(job, TO + "pick<|message|>seven 7<|call|>")).isTrue();
        assertThat(holds(job, TO + "pick<|message|>seven<|call|>")).isFalse();
        assertThat(holds(job, TO + "pick<|message|>{\"a\":1}<|call|>")).isFalse();
        assertThat(holds(job, FINAL + "anything<|return|>")).isTrue();
    }

    @Test
    void aForcedCallMustCome() {
        var call = TO + "loose<|message|>{}<|call|>";

        assertThat(holds(job(TOOLS, REQUIRED, null), call)).isTrue();
        assertThat(holds(job(TOOLS, REQUIRED, null), FINAL + "No.<|return|>")).isFalse();
        assertThat(holds(job(TOOLS, STRICT_CALL, null), call)).isFalse();
        assertThat(holds(job(TOOLS, REQUIRED, null), TO + "other<|message|>{}<|call|>"))
                .isFalse();
    }

    @Test
    void aStrictAnswerMustComeUnlessAFunctionIsCalled() {
        var job = job(TOOLS, ToolChoice.AUTO, STRICT);

        assertThat(holds(job, "<|channel|>analysis<|message|>Hm.<|return|>")).isFalse();
        assertThat(holds(job, TO + "loose<|message|>{}<|call|>")).isTrue();
    }

    @Test
    void nothingStrictNeedsNoCheck() {
        assertThat(check(job(List.of(TOOLS.getLast()), ToolChoice.AUTO, null))).isNull();
        assertThat(check(job(TOOLS, new ToolChoice(ToolChoice.Mode.NONE, null), null)))
                .isNull();
        assertThat(check(
                        job(List.of(), ToolChoice.AUTO, new ResponseFormat("a", null, "{\"type\":\"object\"}", false))))
                .isNull();
    }

    @Test
    void theFirstWrongTokenIsRefusedAndAllAfterIt() {
        var check = Objects.requireNonNull(check(job(List.of(), ToolChoice.AUTO, STRICT)));
        for (int token : Spelled.tokens(FINAL + "{\"")) {
            assertThat(check.accept(token)).isTrue();
        }

        for (int token : Spelled.tokens("town\": 1}<|return|>")) {
            assertThat(check.accept(token)).isFalse();
        }
        assertThat(check.finish()).isFalse();
    }

    @Test
    void aValueWhoseFormIsTooComplexIsNotFollowed() {
        // Given
        var grammar = new GenerationJob.InputGrammar(GenerationJob.InputGrammar.Syntax.REGEX, "(.*a.{600})+");
        var tool = new FunctionTool("g", "", "{\"type\":\"string\"}", false, grammar, false);
        var check = Objects.requireNonNull(check(job(List.of(tool), ToolChoice.AUTO, null)));
        var random = new Random(1);
        var text = random.ints(5_000, 0, 2).mapToObj(i -> i == 0 ? "a" : "c").collect(Collectors.joining());
        // When
        for (int token : Spelled.tokens(TO + "g<|message|>" + text)) {
            check.accept(token);
        }
        // Then
        assertThat(check.tooComplex()).isTrue();
        assertThat(check.finish()).isFalse();
    }

    private static boolean holds(GenerationJob job, String text) {
        var check = Objects.requireNonNull(check(job));
        for (int token : Spelled.tokens(text)) {
            if (!check.accept(token)) {
                return false;
            }
        }
        return !text.endsWith("|>") || check.finish();
    }

    private static @Nullable StrictCheck check(GenerationJob job) {
        return StrictCheck.of("tenant", job, DeclaredFunctions.callable(job));
    }

    private static GenerationJob job(List<FunctionTool> tools, ToolChoice choice, @Nullable ResponseFormat format) {
        return new GenerationJob(
                List.of(),
                tools,
                choice,
                "low",
                "2026-11-21",
                format,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context"));
    }
}
