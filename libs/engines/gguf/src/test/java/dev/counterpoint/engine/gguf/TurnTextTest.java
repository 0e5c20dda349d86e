package dev.counterpoint.engine.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The grammar of a turn, its reader and what is written down of it agree: a text that the grammar lets through is
/// split the same way wherever it is cut, and continues the same way wherever an attempt broke off.
class TurnTextTest {
    private static final int BYTES = 256;
    private static final int ROUNDS = 12;
    private static final int LENGTH_MAX = 160;
    private static final LexemeIndex LEXEMES = new LexemeIndex(vocabulary());
    private static final FunctionTool WEATHER = new FunctionTool("weather", "Tells the weather.", """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}""", true);
    private static final FunctionTool WEATHERS = new FunctionTool("weathers", "", null, false);
    private static final ResponseFormat FORM = new ResponseFormat("form", null, """
            {"type":"object","properties":{"call":{"type":"boolean"},"n":{"enum":[1,"}"]}},"required":["call","n"],\
            "additionalProperties":false}""", true);
    private static final FunctionNames NAMES = new FunctionNames(List.of("weather", "weathers"));

    private static TokenVocabulary vocabulary() {
        var texts = new byte[BYTES + 1][];
        for (int value = 0; value < BYTES; value++) {
            texts[value] = value == TokenVocabulary.SPECIAL ? new byte[0] : new byte[] {(byte) value};
        }
        texts[BYTES] = TokenVocabulary.special(TurnTextGrammar.END);
        return new TokenVocabulary(texts);
    }

    static Stream<TurnStep> turns() {
        var plain = new TemplateTraits(true, true, true, null, null);
        var marked = new TemplateTraits(
                true, true, true, new CallForm("[CALL]", "[ARGS]", ""), new MarkPair("<think>", "</think>"));
        var all = new ArrayList<TurnStep>();
        for (var traits : List.of(plain, marked)) {
            for (var limit : new Integer[] {null, 0}) {
                for (var tools : List.of(List.<FunctionTool>of(), List.of(WEATHER, WEATHERS))) {
                    for (var format : new ResponseFormat[] {null, FORM}) {
                        all.add(Turn.of(job(tools, ToolChoice.AUTO, format, limit), traits)
                                .behind("x"));
                    }
                }
                all.add(Turn.of(
                                job(List.of(WEATHER, WEATHERS), new ToolChoice(Mode.REQUIRED, null), null, limit),
                                traits)
                        .behind("<think>\n"));
            }
        }
        return all.stream();
    }

    private static GenerationJob job(
            List<FunctionTool> tools, ToolChoice choice, @Nullable ResponseFormat format, @Nullable Integer limit) {
        return new GenerationJob(
                List.of(new PromptItem.User("Hello")),
                tools,
                choice,
                "medium",
                "2026-11-29",
                format,
                GenerationJob.Sampling.DEFAULT,
                0,
                ReasoningTerms.of("").withTokensMax(limit));
    }

    @ParameterizedTest
    @MethodSource("turns")
    void isTakenApartAlikeHoweverItIsCut(TurnStep turn) {
        for (int round = 0; round < ROUNDS; round++) {
            // Given
            var random = new Random(round);
            var text = text(turn, random);
            // When
            var whole = parts(turn, List.of(text));
            var pieces = new ArrayList<String>();
            for (int at = 0; at < text.length(); ) {
                int end = Math.min(text.length(), at + 1 + random.nextInt(4));
                pieces.add(text.substring(at, end));
                at = end;
            }
            // Then
            assertThat(parts(turn, pieces)).as(text).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("turns")
    void goesOnAlikeWhereverAnAttemptBrokeOff(TurnStep turn) {
        for (int round = 0; round < ROUNDS; round++) {
            // Given
            var text = canonical(turn, text(turn, new Random(round)));
            int[] said = said(turn, new int[0], text.getBytes(StandardCharsets.UTF_8));
            for (int cut = 0; cut <= said.length - 1; cut++) {
                // When
                int[] before = Arrays.copyOf(said, cut);
                var written = EarlierSpeech.of(before).written(turn, NAMES::recipient);
                // Then
                assertThat(text).as("cut at %d", cut).startsWith(written);
                byte[] rest = text.substring(written.length()).getBytes(StandardCharsets.UTF_8);
                int half = EarlierSpeech.of(before).half().length;
                int[] after = said(turn, before, Arrays.copyOfRange(rest, half, rest.length));
                var all = IntStream.concat(IntStream.of(before), IntStream.of(after))
                        .toArray();
                assertThat(messages(all)).as("%s, cut at %d", text, cut).isEqualTo(messages(said));
            }
        }
    }

    private static int[] said(TurnStep turn, int[] before, byte[] rest) {
        var earlier = EarlierSpeech.of(before);
        var written = earlier.written(turn, NAMES::recipient);
        var request = new GenerationRequest(
                "id", new int[] {1}, before, Sampling.DEFAULT, Integer.MAX_VALUE, Set.of(), TokenMask.ALL, "");
        var speech = new Speech(turn, NAMES, request, earlier, written);
        speech.accept(rest);
        speech.finish(true);
        return speech.take();
    }

    /// The same turn as it is written down where an attempt broke off at its end.
    private static String canonical(TurnStep turn, String text) {
        var written = EarlierSpeech.of(said(turn, new int[0], text.getBytes(StandardCharsets.UTF_8)))
                .written(turn, NAMES::recipient);
        var matcher = new Constraint(TurnTextGrammar.of(turn, RegexPool.shared()), LEXEMES).start();
        assertThat(written.isEmpty() || matcher.accept(written.getBytes(StandardCharsets.UTF_8)))
                .as(written)
                .isTrue();
        var ending = matcher.ending();
        assertThat(ending).as(written).isNotNull();
        return written + new String(ending, 0, ending.length - 3, StandardCharsets.UTF_8);
    }

    private static List<String> messages(int[] tokens) {
        var messages = new ArrayList<String>();
        var text = new StringBuilder();
        var parser = new HarmonyParser(Role.ASSISTANT);
        Arrays.stream(tokens)
                .forEach(token -> parser.accept(token, event -> {
                    switch (event) {
                        case HarmonyEvent.MessageStarted(var _, var channel, var recipient, var _) ->
                            text.append(channel).append(recipient).append(": ");
                        case HarmonyEvent.TextDelta(var more) -> text.append(more);
                        case HarmonyEvent.MessageEnded _ -> {
                            messages.add(text.toString());
                            text.setLength(0);
                        }
                        case HarmonyEvent.Repaired _ -> {}
                    }
                }));
        messages.removeIf(message -> message.endsWith("null: "));
        return messages;
    }

    private static List<String> parts(TurnStep turn, List<String> pieces) {
        var parts = new ArrayList<String>();
        var reader = new TurnReader(turn, new TurnReader.Listener() {
            private @Nullable Part open;

            @Override
            public void text(Part part, String text) {
                if (part == open) {
                    parts.add(parts.removeLast() + text);
                } else {
                    parts.add(part + ": " + text);
                }
                open = part;
            }

            @Override
            public void called(FunctionTool tool) {
                parts.add("call of " + tool.name());
            }
        });
        pieces.forEach(reader::accept);
        reader.finish();
        return parts;
    }

    /// A text that the grammar lets through.
    private static String text(TurnStep turn, Random random) {
        var matcher = new Constraint(TurnTextGrammar.of(turn, RegexPool.shared()), LEXEMES).start();
        var text = new ByteArrayOutputStream();
        var bits = new TokenBits(BYTES + 1);
        while (text.size() < LENGTH_MAX && !matcher.ended()) {
            matcher.mask(bits);
            int[] allowed = IntStream.range(0, BYTES / 2).filter(bits::contains).toArray();
            int[] telling = IntStream.of(allowed)
                    .filter(each -> "\"\\<[{} a1".indexOf(each) >= 0)
                    .toArray();
            int[] from = telling.length > 0 && random.nextInt(3) > 0 ? telling : allowed;
            if (from.length == 0 || bits.contains(BYTES) && random.nextInt(20) == 0) {
                break;
            }
            byte[] next = random.nextInt(6) == 0
                    ? "🜲".getBytes(StandardCharsets.UTF_8)
                    : new byte[] {(byte) from[random.nextInt(from.length)]};
            if (matcher.accept(next)) {
                text.writeBytes(next);
            }
        }
        return ended(matcher, text);
    }

    private static String ended(Matcher matcher, ByteArrayOutputStream text) {
        var ending = matcher.ending();
        assertThat(ending).as(text.toString(StandardCharsets.UTF_8)).isNotNull();
        text.writeBytes(Arrays.copyOf(ending, ending.length - 3));
        return text.toString(StandardCharsets.UTF_8);
    }
}
