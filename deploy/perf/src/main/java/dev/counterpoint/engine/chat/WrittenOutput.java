package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.Extraction;
import dev.counterpoint.engine.chat.split.HarmonyText;
import dev.counterpoint.engine.chat.split.ModelPart;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// 400 tokens of reasoning and 200 of answer, as a server streams them: each token and each mark a delta.
///
/// @param deltas those that the server calls reasoning included
/// @param answerFrom the delta with which the answer begins
/// @param extraction makes a new one for each output
record WrittenOutput(List<Delta> deltas, int answerFrom, Function<Consumer<ModelPart>, Extraction> extraction) {
    static final int ANSWER_TOKENS = 200;
    private static final int REASONING_TOKENS = 400;
    private static final EnvelopeTerms UNASKED = new EnvelopeTerms(false, false, false, false);
    private static final String REASONING = "The user asks for the capital of France, and whether 3 < 5 holds. "
            + "I recall \"Paris\" from geography; `a < b` is plain. Let me check it once more:\n\n"
            + "1. Paris lies on the Seine.\n2. It is the seat of the government.\n\nSo I am sure. ";
    private static final String ANSWER = "The capital of France is Paris, which lies on the Seine. Three is less than "
            + "five, so the comparison holds as well. Both are true at once. ";

    /// @param told whether the server calls it reasoning
    record Delta(boolean told, String text) {}

    /// Ways to write an output.
    enum Way {
        REASONING_CONTENT,
        THINK,
        THINK_OPENED,
        THINK_IN_BRACKETS,
        HARMONY,
        HARMONY_STRIPPED,
        UNKNOWN_THINK,
        UNKNOWN_WITHIN_A_LINE,
        UNKNOWN_ENVELOPE,
        UNKNOWN_UNMARKED,
        KNOWN_UNMARKED,
        VOUCHED_UNMARKED
    }

    static WrittenOutput of(Way way) {
        return switch (way) {
            case REASONING_CONTENT -> new Script().told().answer().of(split(Unmarked.ANSWER));
            case THINK -> thinking("\n", "</think>", "\n\n").of(split(Unmarked.ANSWER_WHEN_WHOLE));
            case THINK_OPENED ->
                new Script()
                        .reasoning()
                        .marks("\n", "</think>", "\n\n")
                        .answer()
                        .of(split(Unmarked.REASONING));
            case THINK_IN_BRACKETS ->
                new Script()
                        .marks("[THINK]")
                        .reasoning()
                        .marks("[/THINK]")
                        .answer()
                        .of(split(Unmarked.ANSWER_WHEN_WHOLE));
            case HARMONY ->
                new Script()
                        .marks("<|channel|>", "analysis", "<|message|>")
                        .reasoning()
                        .marks("<|end|>", "<|start|>", "assistant", "<|channel|>", "final", "<|message|>")
                        .answer()
                        .of(HarmonyText::new);
            case HARMONY_STRIPPED ->
                new Script()
                        .marks("analysis")
                        .reasoning()
                        .marks("assistant", "final")
                        .answer()
                        .of(HarmonyText::new);
            case UNKNOWN_THINK -> thinking("\n", "</think>", "\n\n").of(split(Unmarked.UNKNOWN));
            case UNKNOWN_WITHIN_A_LINE -> thinking(" Good", "</think>", "").of(split(Unmarked.UNKNOWN));
            case UNKNOWN_ENVELOPE ->
                new Script()
                        .marks("{\"", "reasoning", "\":", " \"")
                        .escapedReasoning()
                        .marks("\",", " \"", "answer", "\":", " \"")
                        .answer()
                        .marks("\"}")
                        .of(envelope());
            case UNKNOWN_UNMARKED -> new Script().answer().of(split(Unmarked.UNKNOWN));
            case KNOWN_UNMARKED -> new Script().answer().of(split(Unmarked.ANSWER_WHEN_WHOLE));
            case VOUCHED_UNMARKED -> new Script().answer().of(split(Unmarked.ANSWER));
        };
    }

    private static Script thinking(String before, String close, String behind) {
        return new Script()
                .marks("<think>", "\n")
                .reasoning()
                .marks(before, close, behind)
                .answer();
    }

    private static Function<Consumer<ModelPart>, Extraction> split(Unmarked unmarked) {
        var rule = rule(unmarked);
        return out -> new ReasoningExtractor(rule, UNASKED, out);
    }

    private static Function<Consumer<ModelPart>, Extraction> envelope() {
        var rule = rule(Unmarked.UNKNOWN);
        return out -> new ReasoningExtractor(rule, new EnvelopeTerms(true, false, false, false), out);
    }

    /// As [dev.counterpoint.engine.chat.probe.ModelRules] makes it: the marks of all families are looked for.
    private static TextRule rule(Unmarked unmarked) {
        return new TextRule(unmarked, FamilyTable.shared().everyMarks(), List.of(), false, "bench");
    }

    /// An output that is separated as it comes.
    record Separation(Extraction extraction, List<ModelPart> parts) {
        /// What this delta tells; holds until the next one.
        List<ModelPart> give(Delta delta) {
            parts.clear();
            if (delta.told) {
                extraction.decide();
                parts.add(new TextPiece(Kind.REASONING, delta.text));
            } else {
                extraction.accept(delta.text);
            }
            return parts;
        }

        List<ModelPart> finish() {
            parts.clear();
            extraction.finish(true);
            return parts;
        }
    }

    Separation begin() {
        var parts = new ArrayList<ModelPart>();
        return new Separation(extraction.apply(parts::add), parts);
    }

    /// The characters of the answer in some pieces.
    static int shown(List<? extends ModelPart> told) {
        return told.stream()
                .mapToInt(part ->
                        part instanceof TextPiece(var kind, var text) && kind == Kind.ANSWER ? text.length() : 0)
                .sum();
    }

    private static final class Script {
        private final List<Delta> deltas = new ArrayList<>();
        private int answerFrom;

        Script told() {
            tokens(REASONING, REASONING_TOKENS).forEach(token -> deltas.add(new Delta(true, token)));
            return this;
        }

        /// Ends with a sentence.
        Script reasoning() {
            return marks(tokens(REASONING, REASONING_TOKENS).toArray(String[]::new))
                    .marks(" So", " I", " am", " sure", ".");
        }

        Script escapedReasoning() {
            var text = REASONING.replace("\"", "\\\"").replace("\n", "\\n");
            return marks(tokens(text, REASONING_TOKENS).toArray(String[]::new));
        }

        Script answer() {
            answerFrom = deltas.size();
            return marks(tokens(ANSWER, ANSWER_TOKENS).toArray(String[]::new));
        }

        Script marks(String... marks) {
            Arrays.stream(marks).filter(mark -> !mark.isEmpty()).forEach(mark -> deltas.add(new Delta(false, mark)));
            return this;
        }

        WrittenOutput of(Function<Consumer<ModelPart>, Extraction> extraction) {
            return new WrittenOutput(List.copyOf(deltas), answerFrom, extraction);
        }

        private static List<String> tokens(String text, int count) {
            var tokenizer = HarmonyTokenizer.shared();
            return Arrays.stream(tokenizer.encode(text.repeat(20)))
                    .limit(count)
                    .mapToObj(token -> tokenizer.decode(new int[] {token}))
                    .toList();
        }
    }
}
