package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar.Syntax;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import dev.counterpoint.testkit.CodexTools;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls of tools whose input has a grammar, among them the one that Codex sends.
class GrammarToolTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final String HEADER = "<|channel|>commentary to=functions.apply_patch ";
    private static final String PATCH =
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-<|end|> a\n+é {\"b\": 1}\n*** End Patch";
    /// The same, written by hand.
    private static final Pattern PATCH_FORM = Pattern.compile("\\*{3} Begin Patch\n"
            + "(?:\\*{3} Add File: [^\n]+\n(?:[+][^\n]*\n)+"
            + "|\\*{3} Delete File: [^\n]+\n"
            + "|\\*{3} Update File: [^\n]+\n(?:\\*{3} Move to: [^\n]+\n)?"
            + "(?:(?:@@(?: [^\n]+)?\n|[+ -][^\n]*\n)+(?:\\*{3} End of File\n)?)?)+"
            + "\\*{3} End Patch\n?");

    private static final int STEPS_MAX = 3_000;
    /// Ends of lines, and begins of lines that are no content.
    private static final List<BitSet> LIKED =
            List.of(tokens(text -> text.endsWith("\n")), tokens(text -> text.startsWith("*")));

    private static BitSet tokens(Predicate<String> which) {
        var tokens = new BitSet();
        IntStream.range(0, SpecialTokens.FIRST)
                .filter(token -> which.test(TOKENIZER.decode(new int[] {token})))
                .forEach(tokens::set);
        return tokens;
    }

    private static TokenMask mask(Syntax syntax, String definition) {
        var tool = new FunctionTool(
                "apply_patch", "", "{\"type\":\"string\"}", false, new InputGrammar(syntax, definition), false);
        var rules = new TurnRules(true, true, List.of(new TurnRules.Call("functions.apply_patch", tool)), null);
        return new TurnMask(TurnConstraints.shared().of("tenant", rules), rules);
    }

    private static TokenMask patching() {
        return mask(Syntax.LARK, CodexTools.APPLY_PATCH);
    }

    private static void accept(TokenMask mask, String text) {
        for (int token : Spelled.tokens(text)) {
            if (!TokenMask.allows(mask.allowed(), token)) {
                throw new IllegalArgumentException("not allowed: " + TOKENIZER.decode(new int[] {token}));
            }
            mask.accept(token);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.apply_patch<|message|>",
                "<|channel|>commentary to=functions.apply_patch <|message|>",
                "<|channel|>commentary to=functions.apply_patch code<|message|>",
                "<|channel|>commentary to=functions.apply_patch <|constrain|>code<|message|>",
                " to=functions.apply_patch<|channel|>commentary<|message|>",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>analysis"
                        + " to=functions.apply_patch code<|message|>",
            })
    void theInputFollowsTheHeaderAsItIs(String header) {
        accept(patching(), header + PATCH.replace("<|end|>", "") + "<|call|>");
    }

    @Test
    void theNamesOfControlTokensAreText() {
        // Given
        var mask = patching();
        accept(mask, HEADER + "<|message|>");
        // When
        for (int token : TOKENIZER.encode(PATCH)) {
            assertThat(TokenMask.allows(mask.allowed(), token)).isTrue();
            mask.accept(token);
        }
        // Then
        accept(mask, "<|call|>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|constrain|>json",
                "json",
                "<|message|>{",
                "<|message|>\"",
                "<|message|>\n",
                "<|message|>*** Begin Patch\n*** End Patch",
                "<|message|>*** Begin Patch\n*** Add File: a<|call|>",
                "<|message|>*** Begin Patch\n*** Add File: a\n+b\n*** End Patch<|return|>",
                "<|message|>*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\n\n",
                "<|message|>*** Begin Patch\n*** Add File: a<|end|>",
                "<|message|>*** Begin Patch\n*** Add File: a<|start|>",
            })
    void nothingElseIsInput(String text) {
        assertThatThrownBy(() -> accept(patching(), HEADER + text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomChoicesMakePatches(int seed) {
        assertThat(chosen(patching(), new Random(seed))).matches(PATCH_FORM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?:a|[^b\\n]{2,5})+", "\\d{3}-\\d{4}", "(?!no)[a-z]{1,20}", "[^a-z]?(.|\\n)*"})
    void randomChoicesMatchARegularExpression(String regex) {
        for (int seed = 0; seed < 5; seed++) {
            var text = chosen(mask(Syntax.REGEX, regex), new Random(seed));

            assertThat(text).matches(Pattern.compile(regex));
        }
    }

    @Test
    void aGrammarThatCannotBeEnforcedIsRefused() {
        assertThatThrownBy(() -> mask(Syntax.LARK, "start: nothing")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mask(Syntax.REGEX, "(a)\\1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGrammarThatTakesTooMuchWorkAllowsNothingFromThenOn() {
        // Given
        var mask = mask(Syntax.REGEX, "(.*a.{8})+(.*b.{8})+(t)?");
        var random = new Random(1);
        accept(mask, HEADER + "<|message|>");
        int letter = letter(random);
        int said = 0;
        // When
        while (said < 1_000 && TokenMask.allows(mask.allowed(), letter)) {
            mask.accept(letter);
            letter = letter(random);
            said++;
        }
        // Then
        assertThat(said).isLessThan(50);
        assertThat(BitSet.valueOf(mask.allowed()).isEmpty()).isTrue();
        mask.accept(letter);
        assertThat(BitSet.valueOf(mask.allowed()).isEmpty()).isTrue();
    }

    private static int letter(Random random) {
        return TOKENIZER.encode(String.valueOf((char) ('a' + random.nextInt(3))))[0];
    }

    @Test
    void aMaskThatIsCancelledDoesNoMoreWork() {
        // Given
        var mask = mask(Syntax.REGEX, "cancelled[a-z]{2,7}");
        mask.cancel();
        // When
        for (int token : Spelled.tokens(HEADER + "<|message|>")) {
            mask.accept(token);
        }
        // Then
        assertThat(BitSet.valueOf(mask.allowed()).isEmpty()).isTrue();
    }

    /// The text of a call that somebody chooses at random, who likes it to be short.
    private static String chosen(TokenMask mask, Random random) {
        accept(mask, HEADER + "<|message|>");
        var text = new TokenBuffer(0);
        for (int i = 0; i < STEPS_MAX; i++) {
            var may = BitSet.valueOf(mask.allowed());
            assertThat(may.isEmpty()).isFalse();
            assertThat(may.stream().filter(SpecialTokens::isSpecial)).isSubsetOf(SpecialTokens.CALL);
            if (may.get(SpecialTokens.CALL) && random.nextInt(3) == 0) {
                mask.accept(SpecialTokens.CALL);
                return TOKENIZER.decode(text.take());
            }
            may.clear(SpecialTokens.CALL);
            int next = next(may, random);
            if (next >= 0) {
                mask.accept(next);
                text.add(next);
            }
        }
        throw new AssertionError("no end");
    }

    private static int next(BitSet may, Random random) {
        var among = may;
        for (var liked : LIKED) {
            if (liked.intersects(may) && random.nextInt(3) == 0) {
                among = (BitSet) liked.clone();
                among.and(may);
            }
        }
        var tokens = among.stream().toArray();
        return tokens.length == 0 ? -1 : tokens[random.nextInt(tokens.length)];
    }
}
