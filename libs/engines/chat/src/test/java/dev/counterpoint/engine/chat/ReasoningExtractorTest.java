package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReasoningExtractorTest {
    private static final String CANARY = "xCANARYx";
    private static final List<List<ReasoningStrategy>> CHAINS = List.of(
            List.of(ReasoningStrategy.ENVELOPE),
            List.of(
                    ReasoningStrategy.ENVELOPE,
                    ReasoningStrategy.MARKERS,
                    ReasoningStrategy.THINK,
                    ReasoningStrategy.POST_HOC),
            List.of(ReasoningStrategy.REPORT_REASONING),
            List.of(ReasoningStrategy.MARKERS),
            List.of(ReasoningStrategy.THINK),
            List.of(ReasoningStrategy.THINK_OPEN),
            List.of(ReasoningStrategy.MARKERS, ReasoningStrategy.THINK, ReasoningStrategy.NONE),
            List.of(ReasoningStrategy.NONE));

    /// R reasoning, A answer, M more beside it, U not to be told.
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // envelope
                "envelope | {'reasoning':'r','answer':'a'} | R:r A:a",
                "envelope | {'answer':'a','reasoning':'r'} | A:a R:r",
                "envelope | ~```json~{'reasoning':'r', 'answer' : 'a'}~```~ | R:r A:a",
                "envelope | {'reasoning':'\\u0072\\n','answer':'\\'a\\''} | R:r~ A:'a'",
                "envelope | {'reasoning':'r','answer':'a','score':0.5,'by':{'x':[1,'}']}} | R:r A:a"
                        + " M:{'score':0.5,'by':{'x':[1,'}']}}",
                "envelope | {'score':1,'reasoning':'r','answer':'a'} | R:r A:a M:{'score':1}",
                "envelope | {'reasoning':{'step':1},'answer':{'n':[1]}} | R:{'step':1} A:{'n':[1]}",
                "envelope | {'Reasoning':'r','ANSWER':'a'} | R:r A:a",
                "envelope | {'reasoning':'r','answer':'<think>b'} | R:r A:<think>b",
                // what is no envelope
                "envelope | The answer is 4. | U:The answer is 4.",
                "envelope | {'city':'Paris'} | U:{'city':'Paris'}",
                "envelope | {'thoughts':'r','answer':'a'} | A:a U:{'thoughts':'r'}",
                "envelope | {'reasoning':'r','answer':'a'} and more | R:r A:a U: and more",
                "envelope | {'reasoning':'r' 'answer':'a'} | R:r U:'answer':'a'}",
                "envelope | {'reasoning':'r | R:r U:",
                "envelope | {'reasoning':'r','answer':'a | R:r A:a",
                "envelope,none | {'reasoning':'r','answer':'a'} | R:r A:a",
                "envelope,none | So: {'reasoning':'r','answer':'a'} | A:So:  R:r A:a",
                "envelope,none | So: {~ 'answer':'a','reasoning':'r'} | A:So: a R:r",
                "envelope,none | a {'b':1} c | A:a {'b':1} c",
                // markers
                "markers | <<REASONING>>r<</REASONING>>~~a | R:r A:a",
                "markers | <<reasoning>>r<</Reasoning>>a<<REASONING>>s<</REASONING>>b | R:r A:a R:s A:b",
                "markers | b<<REASONING>>r<</REASONING>>a | A:b R:r A:a",
                "markers | r<</REASONING>>a | R:r A:a",
                "markers | <<REASONING>>r<<REASONING>>s<</REASONING>>t<</REASONING>>a | R:rst A:a",
                "markers | <<REASONING>>r<<REASONING>>s<</REASONING>>a | R:rsa U:",
                "markers | <<REASONING>>r | R:r U:",
                "markers | <<REASONING>>r<</REASON | R:r<</REASON U:",
                "markers | a | U:a",
                "markers | <think>r</think>a | U:<think>r</think>a",
                "markers,none | a <<b>> c<</REASONING | A:a <<b>> c<</REASONING",
                "markers,none | a<</REASONING>>b | A:ab",
                "markers,none | `<<REASONING>>r<</REASONING>>` | A:` R:r A:`",
                // think
                "think | <think>~r~</think>~~a | R:~r~ A:a",
                "think | <think></think>a | A:a",
                "think | r</think>a | R:r A:a",
                "think | <think>r <<REASONING>> s</think>a | R:r <<REASONING>> s A:a",
                "think-open | r</think>a | R:r A:a",
                "think-open | ~<think>r</think>a | R:~r A:a",
                "think-open | r | R:r U:",
                "think-open,none | r <think> s</think>a | R:r  sa U:",
                "think,none | a | A:a",
                // together
                "envelope,think | <think>r</think>~{'reasoning':'s','answer':'a'} | R:rs A:a",
                "envelope,markers,think,post-hoc | <think>r</think>~{'reasoning':'s','answer':'a'} | R:rs A:a",
                "envelope,markers,think,post-hoc | <<REASONING>>r<</REASONING>>a | R:r A:a",
                "envelope,think | {'reasoning':'s','answer':'<think>r</think>a'} | R:sr A:a",
                "envelope,markers,think,post-hoc | Hi | A:Hi",
                "report-reasoning | a | U:a",
                "none | <think>a | A:<think>a",
            })
    void tellsReasoningFromAnswer(String strategies, String text, String expected) {
        var chain = ReasoningStrategy.named(List.of(strategies.split(",")));

        assertThat(told(pieces(chain, true, List.of(written(text))))).isEqualTo(written(expected));
    }

    @Test
    void whatIsNotMarkedIsTheAnswerWhereThereIsNoReasoning() {
        for (var chain : CHAINS) {
            var expected = chain.contains(ReasoningStrategy.THINK_OPEN) ? Kind.REASONING : Kind.ANSWER;
            assertThat(pieces(chain, false, List.of("Hi {\"answer\":1}")).getFirst())
                    .as(chain.toString())
                    .isEqualTo(new TextPiece(expected, "Hi {\"answer\":1}"));
        }
    }

    @Test
    void reasoningThatCameAnotherWayMakesTheRestTheAnswer() {
        // Given
        var extraction = new ReasoningExtractor(List.of(ReasoningStrategy.REPORT_REASONING), true, false);
        var pieces = new ArrayList<>(extraction.accept("aloud "));
        // When
        pieces.addAll(extraction.decide());
        pieces.addAll(extraction.accept(" the answer"));
        pieces.addAll(extraction.finish());
        // Then
        assertThat(told(pieces)).isEqualTo("R:aloud  A:the answer");
    }

    @Test
    void whatHasAFormHasNothingBesideIt() {
        var extraction = new ReasoningExtractor(List.of(ReasoningStrategy.ENVELOPE), true, true);

        var pieces = extraction.accept("{\"reasoning\":\"r\",\"answer\":{\"n\":1},\"score\":2}");

        assertThat(told(pieces)).isEqualTo("R:r A:{\"n\":1} R:{\"score\":2}");
    }

    @Test
    void whatIsHeldIsBounded() {
        var extraction = new ReasoningExtractor(List.of(ReasoningStrategy.MARKERS), true, false);
        var much = "x".repeat(MarkedReasoning.HELD_CHARACTERS_MAX + 1);

        var pieces = new ArrayList<>(extraction.accept(much));
        pieces.addAll(extraction.accept("<</REASONING>>y"));

        assertThat(pieces).extracting(TextPiece::kind).containsExactly(Kind.UNTOLD, Kind.UNTOLD);
    }

    static Stream<String> texts() {
        return Stream.of(
                "{\"reasoning\":\"" + CANARY + "\",\"answer\":\"four\"}",
                "{ \"answer\" : \"f\\u00f6\\ud83d\\ude00r\", \"reasoning\": [\"" + CANARY
                        + "\", {\"a\":\"]}\"}], \"n\":[1]}",
                "```json\n{\"score\":1,\"reasoning\":\"" + CANARY + "\",\"answer\":\"x\"}\n```",
                "Well: {\"reasoning\":\"" + CANARY + "\",\"answer\":\"x\"} bye",
                "<<REASONING>>" + CANARY + "<</REASONING>>\n\nfour",
                "a<<REASONING>>" + CANARY + "<<REASONING>>b<</REASONING>>" + CANARY + "<</REASONING>>c<<x>>",
                "<think>" + CANARY + "</think>four <b>",
                "\n<think>\n" + CANARY + "<think>" + CANARY,
                "<think>" + CANARY + "</think>{\"reasoning\":\"" + CANARY + "\",\"answer\":\"x\"}",
                "```\n<<REASONING>>" + CANARY + "<</REASONING>>\n```",
                "<<REASONING>>" + CANARY + "<</REASONIN");
    }

    /// Whether reasoning in this text is reasoning to this chain: it knows all forms in it, or trusts none.
    private static boolean hides(List<ReasoningStrategy> chain, String text) {
        boolean thinks = chain.contains(ReasoningStrategy.THINK) || chain.contains(ReasoningStrategy.THINK_OPEN);
        boolean plain = chain.contains(ReasoningStrategy.NONE) || chain.contains(ReasoningStrategy.POST_HOC);
        var known = new ArrayList<Boolean>();
        if (text.contains("reasoning\"")) {
            known.add(chain.contains(ReasoningStrategy.ENVELOPE));
        }
        if (text.contains("<<REASONING")) {
            known.add(chain.contains(ReasoningStrategy.MARKERS));
        }
        if (text.contains("<think")) {
            known.add(thinks);
        }
        return !known.contains(false) || !plain && !known.contains(true);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void noSplitOfAnyTextShowsReasoningOrChangesWhatIsTold(String text) {
        var random = new Random(text.hashCode());
        for (var chain : CHAINS) {
            var whole = told(pieces(chain, true, List.of(text)));
            for (var split : splits(text, random)) {
                var pieces = pieces(chain, true, split);

                assertThat(told(pieces)).as("%s of %s", chain, split).isEqualTo(whole);
                if (hides(chain, text)) {
                    assertThat(visible(pieces)).as("%s of %s", chain, split).doesNotContain(CANARY);
                }
            }
        }
    }

    /// Every split in two and in three, each character alone, and some at random.
    private static List<List<String>> splits(String text, Random random) {
        var splits = new ArrayList<List<String>>();
        splits.add(text.chars().mapToObj(c -> String.valueOf((char) c)).toList());
        for (int i = 0; i <= text.length(); i++) {
            for (int j = i; j <= text.length(); j++) {
                splits.add(List.of(text.substring(0, i), text.substring(i, j), text.substring(j)));
            }
        }
        for (int round = 0; round < 200; round++) {
            var split = new ArrayList<String>();
            int from = 0;
            while (from < text.length()) {
                int to = Math.min(text.length(), from + 1 + random.nextInt(7));
                split.add(text.substring(from, to));
                from = to;
            }
            splits.add(split);
        }
        return splits;
    }

    /// Texts in which marks, quotes and brackets stand anywhere: whatever comes, splitting changes
    /// nothing.
    @Test
    void noSplitOfAnyRubbleChangesWhatIsTold() {
        var random = new Random(7);
        var words = List.of(
                "<think>",
                "</think>",
                "<<REASONING>>",
                "<</REASONING>>",
                "{",
                "}",
                "\"",
                "\"reasoning\"",
                "\"answer\"",
                ":",
                ",",
                " ",
                "\n",
                "```",
                "```json",
                "a",
                "\\",
                "\\u00e4",
                "<",
                "<<",
                "1",
                "[",
                "]");
        for (int round = 0; round < 20_000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(words.get(random.nextInt(words.size())));
            }
            var chain = CHAINS.get(random.nextInt(CHAINS.size()));
            var whole = text.toString();
            var letters = whole.chars().mapToObj(c -> String.valueOf((char) c)).toList();
            int at = random.nextInt(whole.length() + 1);

            var expected = told(pieces(chain, true, List.of(whole)));
            assertThat(told(pieces(chain, true, letters)))
                    .as("%s of %s", chain, whole)
                    .isEqualTo(expected);
            assertThat(told(pieces(chain, true, List.of(whole.substring(0, at), whole.substring(at)))))
                    .as("%s of %s at %s", chain, whole, at)
                    .isEqualTo(expected);
        }
    }

    private static List<TextPiece> pieces(List<ReasoningStrategy> chain, boolean reasons, List<String> chunks) {
        var extraction = new ReasoningExtractor(chain, reasons, false);
        var pieces = new ArrayList<TextPiece>();
        chunks.forEach(chunk -> pieces.addAll(extraction.accept(chunk)));
        pieces.addAll(extraction.finish());
        return pieces;
    }

    private static String visible(List<TextPiece> pieces) {
        var text = new StringBuilder();
        for (var piece : pieces) {
            if (piece.kind() == Kind.ANSWER || piece.kind() == Kind.MORE) {
                text.append(piece.text());
            }
        }
        return text.toString();
    }

    /// Pieces of one kind that follow each other are one.
    private static String told(List<TextPiece> pieces) {
        var told = new StringBuilder();
        Kind open = null;
        for (var piece : pieces) {
            if (piece.kind() != open) {
                told.append(told.isEmpty() ? "" : " ")
                        .append(piece.kind().name().charAt(0))
                        .append(':');
                open = piece.kind();
            }
            told.append(piece.text());
        }
        return told.toString().strip();
    }

    private static String written(String text) {
        return text.replace('\'', '"').replace('~', '\n');
    }
}
