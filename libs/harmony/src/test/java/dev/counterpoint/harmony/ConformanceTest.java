package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Every row of the conformance data passes, except for those that `conformance-baseline.txt` names with a reason;
/// a named row that passes breaks the build, too.
class ConformanceTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    @Test
    void encodesAndDecodesAsTheReferenceTokenizer() {
        check("o200k_tokenizer_cases", ConformanceData.rows("o200k_tokenizer_cases"), row -> {
            var text = row.path("text").asText();
            var tokens = ConformanceData.tokens(row.path("tokens"));
            return Arrays.equals(TOKENIZER.encode(text), tokens)
                    && TOKENIZER.countTokens(text) == tokens.length
                    && TOKENIZER.decode(tokens).equals(text);
        });
    }

    @Test
    void rendersAsOpenAi008() {
        var rows = ConformanceData.rows("render_cases");
        check("render_cases", rows, row -> rendersAs(row, ReferenceCodec.OPENAI_0_0_8));
    }

    @Test
    void rendersAsOss0011() {
        var rows = replaced(ConformanceData.rows("render_cases"), ConformanceData.rows("render_cases_oss"));
        check("render_cases_oss", rows, row -> rendersAs(row, ReferenceCodec.OSS_0_0_11));
    }

    /// The conversations and messages of a fixture stand in the row with its text or its ids; a set of data without
    /// that row says nothing about the fixture.
    @Test
    void rendersAndReadsEveryFixtureOfTheReference() {
        var rendered = ConformanceData.rows("render_cases");
        var parsed = ConformanceData.rows("parse_cases");
        var fixtures = ConformanceData.upstreamFixtures().stream()
                .filter(fixture -> rowThatRenders(fixture, rendered)
                        .or(() -> rowThatParses(fixture, parsed))
                        .isPresent())
                .toList();
        if (fixtures.isEmpty()) {
            ConformanceData.skip("no row for any fixture");
        }
        check(
                "upstream_fixtures",
                fixtures,
                fixture -> rowThatRenders(fixture, rendered)
                        .map(row -> rendersAs(row, ReferenceCodec.OPENAI_0_0_8))
                        .or(() -> rowThatParses(fixture, parsed)
                                .map(row -> ReferencePlay.of(row, ReferenceCodec.OPENAI_0_0_8)
                                        .agrees(row)))
                        .orElseThrow());
    }

    private static Optional<JsonNode> rowThatRenders(JsonNode fixture, List<JsonNode> rows) {
        var text = fixture.path("text").asText();
        return rows.stream()
                .filter(row -> ConformanceData.withoutEnd(
                                row.path("expected_text").asText())
                        .equals(text))
                .findFirst();
    }

    private static Optional<JsonNode> rowThatParses(JsonNode fixture, List<JsonNode> rows) {
        var text = fixture.path("text").asText();
        var ids = text.matches("[0-9\\s]+")
                ? Arrays.stream(text.split("\\s+")).mapToInt(Integer::parseInt).toArray()
                : SpokenTokens.of(text);
        return rows.stream()
                .filter(row -> Arrays.equals(ConformanceData.tokens(row.path("tokens")), ids))
                .findFirst();
    }

    @Test
    void theBuiltInToolsReadAsTheModelKnowsThem() {
        var fixture = ConformanceData.upstreamFixtures().stream()
                .filter(candidate -> candidate.path("name").asText().equals("test_browser_and_python_tool.txt"))
                .findFirst()
                .orElseThrow();
        var system = SystemContent.defaults()
                .withConversationStartDate("2025-06-28")
                .withTools(List.of(BuiltInNamespaces.python(), BuiltInNamespaces.browser()));
        var renderer = new HarmonyRenderer(TOKENIZER, RenderOptions.production());
        var tokens = renderer.renderForCompletion(Conversation.of(Message.system(system)), Role.ASSISTANT);
        assertThat(TOKENIZER.decode(tokens)).isEqualTo(fixture.path("text").asText());
    }

    @Test
    void parsesAsOpenAi008() {
        var rows = ConformanceData.rows("parse_cases");
        check(
                "parse_cases",
                rows,
                row -> ReferencePlay.of(row, ReferenceCodec.OPENAI_0_0_8).agrees(row));
    }

    @Test
    void parsesAsOss0011() {
        var rows = replaced(ConformanceData.rows("parse_cases"), ConformanceData.rows("parse_cases_oss"));
        check(
                "parse_cases_oss",
                rows,
                row -> ReferencePlay.of(row, ReferenceCodec.OSS_0_0_11).agrees(row));
    }

    private static boolean rendersAs(JsonNode row, ReferenceCodec reference) {
        var rule = row.path("auto_drop_analysis").asBoolean() ? DropRule.REFERENCE : DropRule.KEEP_ALL;
        var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, rule));
        var conversation = WireConversations.conversation(row.path("conversation"));
        var next = WireConversations.text(row, "next_role");
        try {
            var tokens = WireConversations.render(
                    renderer, conversation, row.path("mode").asText(), next);
            return row.path("error").isNull()
                    && Arrays.equals(tokens, ConformanceData.tokens(row.path("expected_tokens")))
                    && TOKENIZER.decode(tokens).equals(row.path("expected_text").asText());
        } catch (IllegalArgumentException e) {
            return row.path("error").asText().equals(e.getMessage());
        }
    }

    /// The rows with those of the same name replaced.
    private static List<JsonNode> replaced(List<JsonNode> rows, List<JsonNode> replacements) {
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        rows.forEach(row -> byName.put(row.path("name").asText(), row));
        replacements.forEach(row -> byName.put(row.path("name").asText(), row));
        return List.copyOf(byName.values());
    }

    static void check(String file, List<JsonNode> rows, Predicate<JsonNode> passes) {
        var failed = new ArrayList<String>();
        Function<JsonNode, String> name =
                row -> row.has("name") ? row.path("name").asText() : "row " + rows.indexOf(row);
        for (JsonNode row : rows) {
            if (!passes.test(row)) {
                failed.add(file + " " + name.apply(row));
            }
        }
        var known = baseline(file);
        int explained = (int) failed.stream().filter(known::contains).count();
        ConformanceReport.add(
                file,
                new ConformanceReport.Counts(
                        rows.size(), rows.size() - failed.size(), failed.size() - explained, explained));
        assertThat(rows).isNotEmpty();
        assertThat(failed).as("failing rows, against the baseline").isEqualTo(known);
    }

    /// Lines of `file name # reason`.
    private static List<String> baseline(String file) {
        try {
            return Files.readAllLines(Path.of("conformance-baseline.txt")).stream()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> line.startsWith(file + " "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
