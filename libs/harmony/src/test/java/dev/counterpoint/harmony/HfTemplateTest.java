package dev.counterpoint.harmony;

import static dev.counterpoint.harmony.TemplateDifference.ARGUMENTS_QUOTED;
import static dev.counterpoint.harmony.TemplateDifference.ARGUMENTS_SPACED;
import static dev.counterpoint.harmony.TemplateDifference.BLANK_LINE_AFTER_INSTRUCTIONS;
import static dev.counterpoint.harmony.TemplateDifference.COMMA_AFTER_A_DEFAULT;
import static dev.counterpoint.harmony.TemplateDifference.LATER_CALLS_LOST_AND_THEIR_RESULTS_THE_FIRST_ONES;
import static dev.counterpoint.harmony.TemplateDifference.LATER_INSTRUCTIONS_DROPPED;
import static dev.counterpoint.harmony.TemplateDifference.NO_ARGUMENT_FOR_AN_EMPTY_OBJECT;
import static dev.counterpoint.harmony.TemplateDifference.OBJECTS_AND_VARIANTS_IN_LINE;
import static dev.counterpoint.harmony.TemplateDifference.RESULTS_QUOTED;
import static dev.counterpoint.harmony.TemplateDifference.RESULTS_SPACED;
import static dev.counterpoint.harmony.TemplateDifference.SPELLED_CONTROL_TOKENS_OBEYED;
import static dev.counterpoint.harmony.TemplateDifference.THOUGHT_AND_PREAMBLE_BEFORE_A_CALL_REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a client of the official chat template gets, and what ours: the same messages, but for the differences named.
class HfTemplateTest {
    /// Every row that is not equal, with all that makes it so.
    private static final Map<String, List<TemplateDifference>> DIFFERENCES = Map.ofEntries(
            Map.entry("system_only", List.of(BLANK_LINE_AFTER_INSTRUCTIONS)),
            Map.entry("developer_tools", List.of(COMMA_AFTER_A_DEFAULT, NO_ARGUMENT_FOR_AN_EMPTY_OBJECT)),
            Map.entry("tools_without_system", List.of(COMMA_AFTER_A_DEFAULT)),
            Map.entry("complex_schema", List.of(OBJECTS_AND_VARIANTS_IN_LINE, COMMA_AFTER_A_DEFAULT)),
            Map.entry("tool_round_open_string_args", List.of(COMMA_AFTER_A_DEFAULT, ARGUMENTS_QUOTED, RESULTS_QUOTED)),
            Map.entry("tool_round_open_dict_args", List.of(COMMA_AFTER_A_DEFAULT, ARGUMENTS_SPACED, RESULTS_SPACED)),
            Map.entry("tool_round_closed", List.of(COMMA_AFTER_A_DEFAULT, ARGUMENTS_SPACED, RESULTS_QUOTED)),
            Map.entry(
                    "parallel_tool_calls_second_lost",
                    List.of(
                            COMMA_AFTER_A_DEFAULT,
                            NO_ARGUMENT_FOR_AN_EMPTY_OBJECT,
                            ARGUMENTS_SPACED,
                            RESULTS_QUOTED,
                            LATER_CALLS_LOST_AND_THEIR_RESULTS_THE_FIRST_ONES)),
            Map.entry(
                    "content_and_thinking_with_tool_call_raises", List.of(THOUGHT_AND_PREAMBLE_BEFORE_A_CALL_REFUSED)),
            Map.entry(
                    "mid_conversation_system_dropped",
                    List.of(LATER_INSTRUCTIONS_DROPPED, BLANK_LINE_AFTER_INSTRUCTIONS)),
            Map.entry("second_developer_dropped", List.of(LATER_INSTRUCTIONS_DROPPED, BLANK_LINE_AFTER_INSTRUCTIONS)),
            Map.entry("special_text_injection", List.of(SPELLED_CONTROL_TOKENS_OBEYED)));

    @Test
    void ourPromptSaysWhatTheTemplatesSays() {
        ConformanceTest.check(
                "hf_template_cases",
                ConformanceData.rows("hf_template_cases"),
                row -> Objects.equals(theirs(row), ours(row)));
    }

    @Test
    void andElseDiffersInNothingButWhatIsNamed() {
        for (JsonNode row : ConformanceData.rows("hf_template_cases")) {
            var name = row.path("name").asText();
            var expected = ours(row);
            for (TemplateDifference difference : DIFFERENCES.getOrDefault(name, List.of())) {
                assertThat(expected).as(name).isNotNull();
                var changed = difference.apply(Objects.requireNonNull(expected));
                assertThat(changed)
                        .as("%s: %s makes no difference", name, difference)
                        .isNotEqualTo(expected);
                expected = changed;
            }
            assertThat(theirs(row)).as(name).isEqualTo(expected);
        }
    }

    /// Null where the conversation is refused.
    private static @Nullable List<ParsedMessage> theirs(JsonNode row) {
        var text = row.path("expected_text");
        return text.isNull() ? null : HarmonyParser.parsePrompt(SpokenTokens.of(text.asText()));
    }

    private static @Nullable List<ParsedMessage> ours(JsonNode row) {
        // Without a prompt for the next answer it is an example for training, which keeps the thoughts.
        boolean training = row.path("kwargs").has("add_generation_prompt");
        var rule = training ? DropRule.KEEP_ALL : DropRule.COMPLETED_TURNS;
        var renderer =
                new HarmonyRenderer(HarmonyTokenizer.shared(), new RenderOptions(ReferenceCodec.OSS_0_0_11, rule));
        try {
            return HarmonyParser.parsePrompt(renderer.render(ChatConversations.of(row)));
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }
}
