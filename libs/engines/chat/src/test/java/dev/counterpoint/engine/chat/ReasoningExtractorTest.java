package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasoningExtractorTest {
    private static final String CANARY = "xCANARYx";
    private static final List<String> TERMS = List.of(
            "unknown",
            "unknown asked",
            "unknown formed",
            "unknown asked formed",
            "plain",
            "plain asked",
            "plain formed",
            "plain asked formed",
            "opened",
            "opened asked");

    /// R reasoning, A answer, M more beside it, U not to be told. Terms: how unmarked text is meant,
    /// whether an envelope was asked for, whether JSON was.
    @DisplayName("F1, F3, F4, F6, F8, F12 envelopes, whatever else they hold, and forms")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // an envelope that was asked for
                "unknown asked | {'reasoning':'r','answer':'a'} | R:r A:a",
                "unknown asked | {'answer':'a','reasoning':'r'} | R:r A:a",
                "unknown asked | ~```json~{'reasoning':'r', 'answer' : 'a'}~```~ | R:r A:a",
                "unknown asked | {'reasoning':'\\u0072\\n','answer':'\\'a\\''} | R:r~ A:'a'",
                "unknown asked | {'reasoning':{'step':1},'answer':{'n':[1]}} | R:{'step':1} A:{'n':[1]}",
                "unknown asked | {'Reasoning':'r','ANSWER':'a'} | R:r A:a",
                "unknown asked | {'reasoning':'</think> r','answer':'a'} | R:</think> r A:a",
                "unknown asked | {'reasoning':'r','answer':'<think>s</think>b'} | R:rs A:b",
                "unknown asked | <think>r</think>~{'reasoning':'s','answer':'a'} | R:rs A:a",
                "plain asked | {'reasoning':'r','answer':'a'} | R:r A:a",
                // F12: words before it are no answer
                "plain asked | Sure! Here it is: {'reasoning':'r','answer':'a'} | R:Sure! Here it is: r A:a",
                "plain asked | a {'b':1} c | A:a {'b':1} c",
                // F3: whatever else it holds
                "unknown asked | {'reasoning':'r','answer':'a','score':0.5,'ok':true}"
                        + " | R:r A:a M:{'score':0.5,'ok':true}",
                "unknown asked | {'score':1,'reasoning':'r','answer':'a'} | R:r A:a M:{'score':1}",
                "unknown asked | {'reasoning':'r','thoughts':['s'],'answer':'a'} | R:r A:a R:{'thoughts':['s']}",
                "unknown asked | {'thoughts':'r','answer':'a'} | A:a U:{'thoughts':'r'}",
                "unknown asked | {'reasoning':'r','x':'<think>s</think>','answer':'a'}"
                        + " | R:r A:a R:{'x':'<think>s</think>'}",
                // F4: one within the answer
                "unknown asked | {'reasoning':'r','answer':{'reasoning':'s','answer':'a'}} | R:rs A:a",
                "unknown asked | {'reasoning':'r','answer':'{\\'reasoning\\':\\'s\\',\\'answer\\':\\'a\\'}'}"
                        + " | R:rs A:a",
                // F8: an envelope that is no JSON is withheld
                "unknown asked | {'reasoning':'r','answer':'he said 'hi' to me'}"
                        + " | U:{'reasoning':'r','answer':'he said 'hi' to me'}",
                "unknown asked | {'reasoning':'say 'no', then','answer':'a'}"
                        + " | U:{'reasoning':'say 'no', then','answer':'a'}",
                "unknown asked | {'reasoning':'r','answer':'\\(x\\)'} | U:{'reasoning':'r','answer':'\\(x\\)'}",
                "unknown asked | {'reasoning':'r','answer':'a\\tb\\nText'} | R:r A:a^tb~Text",
                "unknown asked | {'reasoning':'r','answer':'a~b'} | R:r A:a~b",
                "unknown asked | {'reasoning':'I say ', 'answer': 's', 'x':' so','answer':'a'}"
                        + " | U:{'reasoning':'I say ', 'answer': 's', 'x':' so','answer':'a'}",
                "plain | {'reasoning':'say 'no'','answer':'a'} | U:{'reasoning':'say 'no'','answer':'a'}",
                // a second envelope
                "unknown asked | {'reasoning':'r','answer':'a'}~{'reasoning':'s','answer':'b'}"
                        + " | R:r A:a U:~{'reasoning':'s','answer':'b'}",
                "unknown | {'reasoning':'r','answer':'a'}, {'reasoning':'s'} | R:r A:a U:, {'reasoning':'s'}",
                "plain asked | Run it:~```json~{'answer': 42}~```~Done. | A:Run it:~```json~{'answer': 42}~```~Done.",
                // F12: null is no answer
                "unknown asked | {'reasoning':'r','answer':null} | R:r",
                "unknown asked | {'reasoning':'r','answer':42} | R:r A:42",
                // what is none
                "unknown asked | The answer is 4. | U:The answer is 4.",
                "unknown asked | {'city':'Paris'} | U:{'city':'Paris'}",
                "unknown asked | {'reasoning':'r','answer':'a'} and more | R:r A:a U: and more",
                "unknown asked | {'reasoning':'r' 7 'answer':'a'} | U:{'reasoning':'r' 7 'answer':'a'}",
                "unknown asked | {'reasoning':'r | U:{'reasoning':'r",
                "unknown asked | {'reasoning':'r','answer':'a | U:{'reasoning':'r','answer':'a",
                // F1, F4: one that nobody asked for
                "plain | {'reasoning':'r','answer':'a'} | R:r A:a",
                "unknown | {'reasoning':'r','answer':'a'} | R:r A:a",
                "plain | {'answer':'a','reasoning':'r'} | R:r A:a",
                "plain | {'answer':'a','n':1} | A:{'answer':'a','n':1}",
                "plain formed | {'reasoning':'r','answer':'a'} | R:r A:{'answer':'a'}",
                "own formed | {'reasoning':'r','answer':'a'} | A:{'reasoning':'r','answer':'a'}",
                // F6: the client's own form
                "unknown asked formed | {'name':'Ada','age':36} | A:{'name':'Ada','age':36}",
                "unknown formed | ```json~{'name':'Ada'}~``` | A:{'name':'Ada'}",
                "unknown formed | {'name':'Ada'} and so on | U:{'name':'Ada'} and so on",
                "unknown formed | I think: {'name':'Ada'} | U:I think: {'name':'Ada'}",
                "unknown formed | <think>r</think>~{'name':'Ada'} | R:r A:{'name':'Ada'}",
                "plain formed | Here you are:~```json~{'name':'}'}~``` | R:Here you are:~```json~ A:{'name':'}'}",
                "plain formed | {'name':'Ada'} Bye! | A:{'name':'Ada'} U: Bye!",
                "plain asked formed | {'reasoning':'r','answer':{'n':1},'score':2} | R:r A:{'n':1} R:{'score':2}",
                // marks
                "unknown | <<REASONING>>r<</REASONING>>~~a | R:r A:a",
                "unknown | r~</think>~a | R:r~ A:a",
                "plain | a | A:a",
                "opened | r | R:r U:",
                "opened | r</think>~~a | R:r A:a",
            })
    void tellsReasoningFromAnswer(String terms, String text, String expected) {
        assertThat(told(pieces(terms, List.of(written(text))))).isEqualTo(written(expected));
    }

    @Test
    @DisplayName("F7 reasoning that the server tells makes the content the answer, whatever it looks like")
    void reasoningThatTheServerTellsMakesTheRestTheAnswer() {
        for (var answer : List.of("{\"city\":\"Paris\"}", "use <think> and </think>", "{\"reasoning\":\"x\"}")) {
            var pieces = new ArrayList<TextPiece>();
            var extraction = extraction("unknown", pieces);

            extraction.decide();
            extraction.accept(answer);
            extraction.finish(true);

            assertThat(told(pieces)).isEqualTo("A:" + answer);
        }
    }

    @Test
    @DisplayName("F9 what was held when the server began to tell its reasoning is the answer")
    void whatWasHeldIsTheAnswer() {
        var pieces = new ArrayList<TextPiece>();
        var extraction = extraction("unknown", pieces);

        extraction.accept("Par");
        extraction.decide();
        extraction.accept("is");
        extraction.finish(true);

        assertThat(told(pieces)).isEqualTo("A:Paris");
    }

    @ParameterizedTest
    @DisplayName("F1 nothing after the end of the first envelope is shown, however the next one is joined to it")
    @ValueSource(
            strings = {
                "",
                " ",
                "\n",
                "\n\n",
                ",",
                "\n```\n```json\n",
                "\nWait, let me correct that:\n",
                "<think>no</think>",
            })
    void nothingAfterTheFirstEnvelopeIsShown(String between) {
        var second = List.of(
                "{'reasoning': 'CANARY', 'answer': 'b'}",
                "{'thoughts': 'CANARY', 'answer': 'b'}",
                "{'reasoning': 'CANARY'}",
                "{\n  'reasoning': 'CANARY',\n  'answer': 'b'\n}",
                "CANARY");
        for (var terms : List.of("unknown asked", "unknown", "plain asked", "plain", "opened asked")) {
            for (var next : second) {
                var text = "{'reasoning': 'r', 'answer': 'a'}" + between + next;
                assertThat(visible(pieces(
                                terms,
                                text.replace('\'', '"')
                                        .chars()
                                        .mapToObj(c -> String.valueOf((char) c))
                                        .toList())))
                        .as("%s of %s", terms, text)
                        .isEqualTo("a");
            }
        }
    }

    @Test
    @DisplayName("F1 nor is it where the server begins to tell its reasoning behind the envelope")
    void nothingAfterTheFirstEnvelopeIsShownWhereTheServerTellsReasoningLate() {
        for (var terms : List.of("unknown asked", "unknown", "plain")) {
            var pieces = new ArrayList<TextPiece>();
            var extraction = extraction(terms, pieces);

            extraction.accept("{\"reasoning\":\"r\",\"answer\":\"a\"}");
            extraction.decide();
            extraction.accept("{\"reasoning\":\"CANARY\",\"answer\":\"b\"}");
            extraction.finish(true);

            assertThat(visible(pieces)).isEqualTo("a");
            assertThat(extraction.isOver()).isTrue();
        }
    }

    static Stream<String> texts() {
        return Stream.of(
                "{\"reasoning\":\"" + CANARY + "\",\"answer\":\"four\"}",
                "{ \"answer\" : \"f\\u00f6\\ud83d\\ude00r\", \"reasoning\": [\"" + CANARY
                        + "\", {\"a\":\"]}\"}], \"n\":[1]}",
                "```json\n{\"score\":1,\"reasoning\":\"" + CANARY + "\",\"answer\":\"x\"}\n```",
                "{\"reasoning\":\"a \"" + CANARY + "\", b\",\"answer\":\"x \\times y \"z\" \"}",
                "<<REASONING>>" + CANARY + "<</REASONING>>\n\nfour",
                "<think>" + CANARY + "</think>four <b>",
                "\n<think>\n" + CANARY,
                "<think>\n" + CANARY + "\n</think>\n{\"reasoning\":\"" + CANARY + "\",\"answer\":\"x\"}",
                "{\"reasoning\":\"r\",\"answer\":{\"reasoning\":\"" + CANARY + "\",\"answer\":\"a\"}}",
                "{\"reasoning\":\"r\",\"more\":{\"x\":\"" + CANARY + "\"},\"answer\":\"a\"}",
                CANARY + "\n</think>\n\nfour");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void noSplitOfAnyTextShowsReasoningOrChangesWhatIsTold(String text) {
        var random = new Random(text.hashCode());
        for (var terms : TERMS) {
            var whole = told(pieces(terms, List.of(text)));
            for (var split : splits(text, random)) {
                var pieces = pieces(terms, split);

                assertThat(told(pieces)).as("%s of %s", terms, split).isEqualTo(whole);
                // Shown as it comes, text without an opening mark is shown; what a client's form holds is the client's.
                boolean own = terms.endsWith("formed") && !terms.contains("asked") && text.contains("\"more\"");
                if (!own && (!terms.startsWith("plain") || !text.startsWith(CANARY))) {
                    assertThat(visible(pieces)).as("%s of %s", terms, split).doesNotContain(CANARY);
                }
            }
        }
    }

    /// Every split in two, each character alone, and some at random.
    private static List<List<String>> splits(String text, Random random) {
        var splits = new ArrayList<List<String>>();
        splits.add(text.chars().mapToObj(c -> String.valueOf((char) c)).toList());
        for (int i = 0; i <= text.length(); i++) {
            splits.add(List.of(text.substring(0, i), text.substring(i)));
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
                "null",
                "\\",
                "\\times",
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
            var terms = TERMS.get(random.nextInt(TERMS.size()));
            var whole = text.toString();
            var letters = whole.chars().mapToObj(c -> String.valueOf((char) c)).toList();
            int at = random.nextInt(whole.length() + 1);

            var expected = told(pieces(terms, List.of(whole)));
            assertThat(told(pieces(terms, letters)))
                    .as("%s of %s", terms, whole)
                    .isEqualTo(expected);
            assertThat(told(pieces(terms, List.of(whole.substring(0, at), whole.substring(at)))))
                    .as("%s of %s at %s", terms, whole, at)
                    .isEqualTo(expected);
        }
    }

    private static ReasoningExtractor extraction(String terms, List<TextPiece> pieces) {
        var table = FamilyTable.shared();
        var unmarked = terms.startsWith("unknown")
                ? Unmarked.UNKNOWN
                : terms.startsWith("opened") ? Unmarked.REASONING : Unmarked.ANSWER;
        return new ReasoningExtractor(
                new TextRule(unmarked, table.everyMarks(), table.everyAnswerMarks(), false, "test"),
                new EnvelopeTerms(terms.contains("asked"), false, terms.contains("formed"), terms.startsWith("own")),
                pieces::add);
    }

    private static List<TextPiece> pieces(String terms, List<String> chunks) {
        var pieces = new ArrayList<TextPiece>();
        var extraction = extraction(terms, pieces);
        chunks.forEach(extraction::accept);
        extraction.finish(true);
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
        return text.replace('\'', '"').replace('~', '\n').replace("^t", "\t");
    }
}
