package dev.counterpoint.engine.chat.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextSplitterTest {
    /// R reasoning, A answer, U not to be told; `~` is a line break, `!` a bar, `…` at the end a limit.
    @DisplayName("F1, F2 marks of every family, and text without any")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // what nothing tells apart
                "unknown | Hi | U:Hi",
                "whole   | Hi | A:Hi",
                "whole   | Hi… | U:Hi",
                "shown   | Hi | A:Hi",
                "begun   | Hi | R:Hi U:",
                "unknown | ~~ | ",
                // an opening mark
                "unknown | <think>~r~</think>~~a | R:~r~ A:a",
                "whole   | <think>~r~</think>~~a | R:~r~ A:a",
                "shown   | <think>~r~</think>~~a | R:~r~ A:a",
                "begun   | <think>~r~</think>~~a | R:~r~ A:a",
                "unknown | p <think>~r~</think>~~a | R:p ~r~ A:a",
                "shown   | p <think>~r~</think>~~a | A:p  R:~r~ A:~~a",
                "unknown | <THINK time=3>~r~</ think >~~a | R:~r~ A:a",
                "unknown | < think >r.</think>a | R:r. A:a",
                "unknown | <think></think>a | A:a",
                "whole   | <think>~~</think>~~a | R:~~ A:a",
                "unknown | [THINK]r[/THINK]a | R:r A:a",
                "unknown | ◁think▷r◁/think▷a | R:r A:a",
                "unknown | <seed:think>r</seed:think>~a | R:r A:a",
                "unknown | <!START_THINKING!>r<!END_THINKING!><!START_RESPONSE!>a<!END_RESPONSE!> | R:r A:a",
                "unknown | <!channel>thought~r<channel!>a | R:~r A:a",
                "unknown | <unused94>thought~r<unused95>a | R:~r A:a",
                "unknown | Here is my thought process:~r~~Here is my response:~a | R:~r~~ A:a",
                "whole   | Here's my thought process: r Here is my response: a | R: r  A:a",
                "unknown | **Reasoning:** r~~**Answer:** a | R:**Reasoning:** r~~ A:a",
                "shown   | **Reasoning:** r~~**Answer:** a | R:**Reasoning:** r~~ A:a",
                "shown   | **Reasoning:** of the court | A:**Reasoning:** of the court",
                "shown   | **Reasoning:** r… | U:**Reasoning:** r",
                "whole   | **Answer:** a | A:**Answer:** a",
                // a closing mark alone
                "unknown | r~</think>~~a | R:r~ A:a",
                "whole   | r~</think>~~a | R:r~ A:a",
                "begun   | r~</think>~~a | R:r~ A:a",
                "begun   | r</think>a | R:r A:a",
                "shown   | </think>~~a | A:a",
                "unknown | r[/THINK]a | R:r A:a",
                // never closed
                "unknown | <think>r | R:r U:",
                "whole   | <think>~r… | R:~r U:",
                "begun   | r </thin | R:r </thin U:",
                "shown   | a<think>r | A:a R:r U:",
                // the answer's own marks
                "unknown | <think>~r~</think>~<answer>~a~</answer> | R:~r~ A:a",
                "whole   | <think>r</think><response>a</response>~ | R:r A:a",
                "unknown | <think>r~<answer>a</answer> | R:r~ A:a",
                "unknown | <think>r~<answer>a | R:r~ U:a",
                "unknown | r~<answer>a</answer> | R:r~ A:a",
                "shown   | <answer>a</answer> | A:a",
                "shown   | a <answer>b</answer> | A:a <answer>b</answer>",
                "whole   | <think>~r~</think>~~<answer>a</answer> b | R:~r~ A:a</answer> b",
                "whole   | Here are my reasoning steps:~r~[BEGIN FINAL RESPONSE]~a~[END FINAL RESPONSE]~ | R:~r~ A:a",
                "whole   | Here are my reasoning steps:~r~[BEGIN FINAL RESPONSE]~a | R:~r~ A:a",
                // a second thought
                "whole   | <think>~r~</think>~~a~<think>~s~</think>~b | R:~r~ A:a~ R:~s~ A:~b",
                "shown   | Franc<think>r</think>e is | A:Franc R:r A:e is",
                "whole   | <think>r</think>a<think>s</think>b | R:r A:a R:s A:b",
                "whole   | <think>~r~</think>~~a~<think>~s | R:~r~ A:a~ R:~s U:",
            })
    void tellsReasoningFromAnswer(String rule, String text, String expected) {
        assertTold(rule, text, expected == null ? "" : expected);
    }

    @DisplayName("F5 marks that are quoted")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // in reasoning
                "whole   | <think>say '</think>' now. s~</think>~~a | R:say '</think>' now. s~ A:a",
                "whole   | <think>say `</think>` now. s | R:say `</think>` now. s U:",
                "whole   | <think>the </think> tag. s~</think>~~a | R:the tag. s~ A:a",
                "whole   | <think>r </think> s </think> a | R:r s  A:a",
                "whole   | <think>r</think>s</think>a | R:rs A:a",
                "whole   | <think>~```~</think>~```~s~</think>~~a | R:~```~```~s~ A:a",
                "whole   | <think>~```~<think>x</think>~```~s~</think>~~a | R:~```~<think>x</think>~```~s~ A:a",
                "whole   | <think>~user wrote <think> hm~</think>~~a | R:~user wrote <think> hm~ A:a",
                "whole   | <think>~user wrote <think> hm~</think>~~a… | R:~user wrote <think> hm~ U:a",
                "begun   | I say '</think>' s~</think>~~a | R:I say '</think>' s~ A:a",
                "unknown | I say '</think>' s~</think>~~a | R:I say '</think>' s~ A:a",
                "whole   | <think>r </think> a | R:r  A:a",
                "whole   | <think>r</think>a… | R:r U:a",
                "whole   | <think>the <think> tag r</think>a | R:the <think> tag r A:a",
                "whole   | <think>the <think> and </think> tags r</think>a | R:the <think> and </think> tags r A:a",
                "whole   | <think>the <think> and </think> tags r | R:the <think> and </think> tags r U:",
                "begun   | p <think>r</think>a | R:p r A:a",
                "whole   | <think>r </think> a~```~<think>x</think>~```~b | R:r  A:a~```~<think>x</think>~```~b",
                "whole   | <think>I end by </think>~~s~</think>~~a | R:I end by s~ A:a",
                "whole   | <think>~say '</think>;;n' then s~</think>~~a | R:~say ';;n' then s~ A:a",
                "whole   | <think>~say 'x</think>' then s~</think>~~a | R:~say 'x' then s~ A:a",
                "whole   | <think>r</think></think>a | R:r A:a",
                "whole   | <think>~~</think>~~<think>~r~</think>~~a | R:~~~r~ A:a",
                "whole   | {'text':'<think>r</think>a'} | R:{'text':'r A:a'}",
                "whole   | `<think>`~r | R:``~r U:",
                "whole   | Let me write <think> r | R:Let me write  r U:",
                // alone in its line, within reasoning
                "whole   | <think>~it writes:~</think>~~S. T~</think>~~a | R:~it writes:~ U:S. T~ A:a",
                "begun   | it ends with~</think>~~S. T~</think>~~a | R:it ends with~ U:S. T~ A:a",
                "whole   | <think>~r~</think>~and so on.~</think>~~a | R:~r~ U:and so on.~ A:a",
                "whole   | <think>~the '</think>' counts.~</think>~~S.~</think>~~a |"
                        + " R:~the '</think>' counts.~ U:S.~ A:a",
                "whole   | <think>~it writes:~</think>~~A the </think> tag | R:~it writes:~ A:A the </think> tag",
                "whole   | <think>~it writes:~</think>~~A… | R:~it writes:~ U:A",
                // nested
                "whole   | <think>r<think>s</think>t</think>a | R:rst A:a",
                "whole   | <think>~r~<think>~s~</think>~t~</think>~~a | R:~r~~s~t~ A:a",
                "whole   | <think>~<think>~r~</think>~~a | R:~~r~ A:a",
                "whole   | <think>r<think>s</think>t | R:rst U:",
                "whole   | <think>r <thought>s</thought> t~</think>~~a | R:r <thought>s</thought> t~ A:a",
                "whole   | <thinking>~r~</think>~~a | R:~r~ A:a",
                "whole   | <think>~**Answer:** s~</think>~~a | R:~**Answer:** s~ A:a",
                // in the answer
                "whole   | <think>~r~</think>~~use <think> tags | R:~r~ A:use <think> tags",
                "whole   | <think>~r~</think>~~use <think> and </think> tags. |"
                        + " R:~r~ A:use <think> and </think> tags.",
                "whole   | <think>~r~</think>~~use `<think>` and `</think>` ok |"
                        + " R:~r~ A:use `<think>` and `</think>` ok",
                "whole   | <think>~r~</think>~~so:~```~<think>~x~</think>~```~b |"
                        + " R:~r~ A:so:~```~<think>~x~</think>~```~b",
                "whole   | <think>~r~</think>~~the </think> tag ends it | R:~r~ A:the </think> tag ends it",
                "shown   | use `<think>` and '</think>' ok | A:use `<think>` and '</think>' ok",
                "whole   | <think>~r~</think>~~- <think>: a~- </think>: b | R:~r~ A:- <think>: a~- </think>: b",
                "shown   | use <think> and </think> ok | A:use <think> and </think> ok",
                "whole   | use <think> tags | A:use <think> tags",
                "whole   | the </think> tag ends it | A:the </think> tag ends it",
                "shown   | ```~<think>~r~</think>~```~a | A:```~ R:~r~ A:~```~a",
                "whole   | <think>~r~</think>~~**Answer:** a | R:~r~ A:**Answer:** a",
            })
    void tellsMarksFromTheirMention(String rule, String text, String expected) {
        assertTold(rule, text, expected);
    }

    @Test
    @DisplayName("F5 a closing mark that the conversation speaks of ends reasoning only where no other comes")
    void holdsWhatFollowsAMarkThatTheConversationSpeaksOf() {
        var rule = Tellings.rule("whole");
        for (var text : List.of("<think>\nr.\n</think>\n\nS.\n</think>\n\na", "<think>\nr.\n</think>\n\na")) {
            var splitter = new TextSplitter(rule, MarkMentions.in(List.of("What does </think> do?"), rule));
            var pieces = new ArrayList<>(splitter.accept(text));
            assertThat(pieces).noneMatch(piece -> piece.kind() == Kind.ANSWER);
            pieces.addAll(splitter.finish(true));

            assertThat(Tellings.told(pieces)).endsWith("A:a").doesNotContain("A:S");
        }
    }

    private static void assertTold(String rule, String text, String expected) {
        boolean whole = !text.endsWith("…");
        var written = (whole ? text : text.substring(0, text.length() - 1))
                .replace('~', '\n')
                .replace('!', '|');
        for (var cut : List.of(List.of(written), Tellings.letters(written))) {
            assertThat(Tellings.told(Tellings.split(Tellings.rule(rule), cut, whole)))
                    .isEqualTo(expected.replace('~', '\n'));
        }
    }

    @Test
    void anAnswerStreamsBehindAMarkThatIsSure() {
        // Given
        var splitter = new TextSplitter(Tellings.rule("whole"));
        splitter.accept("<think>\nr\n</think>");
        // When
        var pieces = splitter.accept("\n\nThe");
        // Then
        assertThat(pieces).containsExactly(new TextPiece(Kind.ANSWER, "The"));
        assertThat(splitter.accept(" end.")).containsExactly(new TextPiece(Kind.ANSWER, " end."));
    }

    @Test
    void whatIsHeldIsBounded() {
        // Given
        var splitter = new TextSplitter(Tellings.rule("whole"));
        var much = "x".repeat(TextSplitter.HELD_CHARACTERS_MAX + 1);
        // When
        var pieces = new ArrayList<>(splitter.accept(much));
        pieces.addAll(splitter.accept("</think>\n\ny"));
        pieces.addAll(splitter.finish(true));
        // Then
        assertThat(pieces).isNotEmpty().allMatch(piece -> piece.kind() == Kind.UNTOLD);
    }

    /// Two million characters in pieces of four, much of it the beginnings of marks: seconds would be
    /// hours, were it quadratic.
    @Test
    void takesTimeInProportionToTheText() {
        var splitter = new TextSplitter(Tellings.rule("whole"));
        for (int i = 0; i < 500_000; i++) {
            splitter.accept("<t h");
        }
        assertThat(splitter.finish(true)).hasSize(1);
    }
}
