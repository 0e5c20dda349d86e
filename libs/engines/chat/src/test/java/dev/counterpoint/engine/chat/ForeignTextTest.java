package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Texts of models of no known family, in the forms that a review of 189 behaviours met, under the default strategies.
/// Whatever the form: no reasoning is shown, and no answer is lost without a warning.
@DisplayName("C2 a model that nobody knows")
class ForeignTextTest {
    private static final String REASONING = "The code word is ZEBRA7731. So I say Paris.";
    private static final String ANSWER = "Paris, on the Seine.";

    /// `right`: the answer and no warning; `shown`: the answer with a warning; `part`: some of it with a warning;
    /// `held`: nothing of it, with a warning. `#R` reasoning, `#A` answer, `~` a line break, `!` a bar.
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "right | think | <think>~#R~</think>~~#A",
                "right | think_tight | <think>#R</think>#A",
                "right | think_case | <THINK>#R</Think>#A",
                "right | think_attr | <think time=3>#R</think>#A",
                "right | think_blank | < think >~#R~< /think >~~#A",
                "right | think_empty | <think>~~</think>~~#A",
                "right | think_nested | <think>#R<think>#R</think>#R</think>~~#A",
                "right | thinking | <thinking>~#R~</thinking>~~#A",
                "right | thought | <thought>~#R~</thought>~~#A",
                "right | reasoning | <reasoning>~#R~</reasoning>~#A",
                "right | magistral | [THINK]#R[/THINK]#A",
                "right | seed | <seed:think>#R</seed:think>#A",
                "right | kimi | ◁think▷#R◁/think▷#A",
                "right | cohere | <!START_THINKING!>#R<!END_THINKING!><!START_RESPONSE!>#A<!END_RESPONSE!>",
                "right | granite | Here is my thought process:~#R~~Here is my response:~#A",
                "right | headings | **Reasoning:** #R~~**Answer:** #A",
                "right | harmony | <!channel!>analysis<!message!>#R<!end!>"
                        + "<!start!>assistant<!channel!>final<!message!>#A",
                "right | markers | <<REASONING>>#R<</REASONING>>~#A",
                "right | think_noopen | #R~</think>~~#A",
                "shown | think_quote | <think>The tag `</think>` ends it. #R~</think>~~#A",
                "shown | think_twice | <think>#R</think>~~#R~~<think>#R</think>~~#A",
                "held | think_noopen_tight | #R</think>#A",
                "held | think_openquote | <think>The user wrote <think>. #R~</think>~~#A",
                "held | think_unclosed | <think>~#R",
                "held | think_mention | #R The </think> tag ends reasoning. #R",
                "held | markers_late | #A~<<REASONING>>#R<</REASONING>>",
                "held | markers_same | <<REASONING>>#R<<REASONING>>#A",
                "part | think_answer_quotes | <think>#R</think>Use `</think>`. #A",
                "right | env | {'reasoning':'#R','answer':'#A'}",
                "right | env_order | {'answer':'#A','reasoning':'#R'}",
                "right | env_fence | ```json~{'reasoning':'#R','answer':'#A'}~```",
                "right | env_case | {'Reasoning':'#R','ANSWER':'#A'}",
                "right | env_list_reasoning | {'reasoning':['#R','#R'],'answer':'#A'}",
                "right | env_more_thoughts | {'reasoning':'short','thoughts':['#R'],'answer':'#A'}",
                "right | env_within | {'reasoning':'so','answer':{'reasoning':'#R','answer':'#A'}}",
                "right | env_text_within"
                        + " | {'reasoning':'so','answer':'{\\'reasoning\\':\\'#R\\',\\'answer\\':\\'#A\\'}'}",
                "right | env_think | <think>#R</think>{'reasoning':'#R','answer':'#A'}",
                "right | env_newline | {'reasoning':'one~#R','answer':'#A'}",
                "shown | env_thoughts | {'thoughts':'#R','answer':'#A'}",
                "shown | env_trailer | {'reasoning':'#R','answer':'#A'}~#R",
                "shown | env_two | {'reasoning':'#R','answer':'#A'}~{'reasoning':'#R','answer':'Rome'}",
                "shown | env_two_joined | {'reasoning':'#R','answer':'#A'}{'reasoning':'#R'}",
                "shown | env_two_corrected | {'reasoning':'#R','answer':'#A'}~Wait:~{'thoughts':'#R','answer':'Rome'}",
                "right | env_bom | \uFEFF{'reasoning':'#R','answer':'#A'}",
                "held | env_quote | {'reasoning':'He said 'no'. #R','answer':'#A'}",
                "held | env_escape | {'reasoning':'\\(x\\) #R','answer':'#A'}",
                "held | env_null | {'reasoning':'#R','answer':null}",
                "held | env_cut | {'reasoning':'#R','answer':'#A",
                "held | env_duplicate | {'reasoning':'I say ','answer':'#R','x':'','answer':'#A'}",
                "held | env_list | [{'reasoning':'#R','answer':'#A'}]",
                "held | env_preamble | Here it is:~```json~{'reasoning':'#R','answer':'#A'}~```",
                "held | plain | #A",
                "held | aloud | #R #A",
                "held | json_own | {'city':'#A'}",
                "held | harmony_stripped | analysis#Rassistantfinal#A",
            })
    void showsNoReasoningAndLosesNothingInSilence(String expected, String name, String form) {
        var text = form.replace('\'', '"').replace('!', '|').replace('~', '\n');
        text = text.replace("#R", REASONING).replace("#A", ANSWER);
        for (var chunks : List.of(List.of(text), letters(text))) {
            var visible = new StringBuilder();
            boolean warned = false;
            for (var piece : pieces(chunks)) {
                visible.append(piece.kind() == Kind.ANSWER || piece.kind() == Kind.MORE ? piece.text() : "");
                warned |= piece.kind() == Kind.UNTOLD;
            }
            var shown = visible.toString().strip();
            assertThat(shown).as(name).doesNotContain("ZEBRA7731");
            assertThat(outcome(shown, warned)).as("%s: %s", name, shown).isEqualTo(expected);
        }
    }

    private static String outcome(String shown, boolean warned) {
        if (shown.equals(ANSWER)) {
            return warned ? "shown" : "right";
        }
        return !warned ? "silent" : shown.isEmpty() ? "held" : "part";
    }

    private static List<String> letters(String text) {
        return text.chars().mapToObj(c -> String.valueOf((char) c)).toList();
    }

    /// As `ChatRun` warns where a text has no answer.
    private static List<TextPiece> pieces(List<String> chunks) {
        var table = FamilyTable.shared();
        var control =
                table.everyAnswerMarks().stream().filter(MarkPair::isControl).toList();
        var pieces = new ArrayList<TextPiece>();
        var extractor = new ReasoningExtractor(
                new TextRule(Unmarked.UNKNOWN, table.everyMarks(), control, false, "test"),
                new EnvelopeTerms(true, false, false, false),
                pieces::add);
        chunks.forEach(extractor::accept);
        extractor.finish(true);
        if (pieces.stream().noneMatch(piece -> piece.kind() == Kind.ANSWER)) {
            pieces.add(new TextPiece(Kind.UNTOLD, ""));
        }
        return pieces;
    }
}
