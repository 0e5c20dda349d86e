package dev.counterpoint.engine.chat.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasoningSplitterTest {
    /// R reasoning, A answer, U withheld; `~` is a line break, `!` a bar, `…` at the end a limit.
    @DisplayName("F1, F2 marks of every family, and text without any")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // text without marks
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
                "whole   | <think>r</think>a… | R:r U:a",
                "whole   | <think>~r~</think>~    a | R:~r~ A:    a",
                // an opening mark behind other words
                "unknown | p <think>~r~</think>~~a | U:p <think>~r~ A:a",
                "whole   | p <think>r</think>a | U:p <think>r</think>a",
                "shown   | p <think>~r~</think>~~a | A:p  U:<think>~r~ A:a",
                "begun   | p <think>r</think>a | R:p r A:a",
                "shown   | a<think>r | A:a U:<think>r",
                "whole   | use <think> tags | A:use  U:<think> tags",
                // a closing mark alone
                "unknown | r~</think>~~a | R:r~ A:a",
                "unknown | the </think> tag, so r | U:the </think> tag, so r",
                "unknown | r</think>a | U:r</think>a",
                "unknown | r~</think>~~s~[/THINK]~a | U:r~</think>~~s~[/THINK]~a",
                "unknown | r~[/THINK]~a | R:r~ A:a",
                "whole   | r~</think>~~a | U:r~ A:a",
                "whole   | r~</think>~~a… | U:r~</think>~~a",
                "begun   | r~</think>~~a | R:r~ A:a",
                "begun   | r</think>a | R:r A:a",
                "shown   | </think>~~a | A:a",
                "unknown | </think>~~a | A:a",
                "shown   | a </think> b | A:a </think> b U:",
                // never closed
                "unknown | <think>r | R:r U:",
                "whole   | <think>~r… | R:~r U:",
                "begun   | r </thin | R:r </thin U:",
                "unknown | <think>r~<answer>a</answer> | R:r~<answer>a</answer> U:",
                // the answer's own marks
                "unknown | <think>~r~</think>~<answer>~a~</answer> | R:~r~ A:a",
                "whole   | <think>r</think><response>a</response>~ | R:r A:a",
                "shown   | a <answer>b</answer> | A:a <answer>b</answer>",
                "whole   | Here are my reasoning steps:~r~[BEGIN FINAL RESPONSE]~a~[END FINAL RESPONSE]~ | R:~r~ A:a",
                "whole   | Here are my reasoning steps:~r~[BEGIN FINAL RESPONSE]~a | R:~r~ A:a",
            })
    void separatesReasoningFromAnswer(String rule, String text, String expected) {
        assertPieces(rule, text, expected == null ? "" : expected);
    }

    @DisplayName("F5 the last closing mark counts; text between two closing marks is withheld")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // in reasoning
                "whole   | <think>say '</think>' now. s~</think>~~a | R:say ' U:' now. s~ A:a",
                "begun   | I say '</think>' s~</think>~~a | R:I say ' U:' s~ A:a",
                "unknown | I say '</think>' s~</think>~~a | R:I say '</think>' s~ A:a",
                "whole   | <think>the </think> tag. s~</think>~~a | R:the  U: tag. s~ A:a",
                "whole   | <think>it writes:~</think>~~S. T~</think>~~a | R:it writes:~ U:~~S. T~ A:a",
                "whole   | <think>it writes:~</think>~~A… | R:it writes:~ U:~~A",
                "whole   | <think>r</think></think>a | R:r A:a",
                "whole   | <think>~~</think>~~<think>~r~</think>~~a | R:~~~~<think>~r~ A:a",
                // nested
                "whole   | <think>r<think>s</think>t</think>a | R:r<think>st A:a",
                "whole   | <think>~<think>~r~</think>~~a | R:~~r~ A:a",
                "whole   | <think>r<think>s</think>t | R:r<think>s U:t",
                "whole   | <think>~user wrote <think> hm~</think>~~a | R:~user wrote <think> hm~ U:~~a",
                "whole   | <think>r <thought>s</thought> t~</think>~~a | R:r <thought>s</thought> t~ A:a",
                "whole   | <thinking>~r~</think>~~a | R:~r~</think>~~a U:",
                "whole   | <think>~**Answer:** s~</think>~~a | R:~**Answer:** s~ A:a",
                // in the answer
                "whole   | <think>~r~</think>~~use <think> tags | R:~r~ A:use  U:<think> tags",
                "whole   | <think>~r~</think>~~use `<think>` and `</think>` ok |"
                        + " R:~r~ U:~~use `<think>` and ` A:` ok",
                "whole   | <think>~r~</think>~~**Answer:** a | R:~r~ A:**Answer:** a",
                // a second thought
                "whole   | <think>r</think>a<think>s</think>b | R:r U:a<think>s A:b",
                "whole   | <think>~r~</think>~~a~<think>~s | R:~r~ A:a~ U:<think>~s",
            })
    void splitsAtTheLastClosingMark(String rule, String text, String expected) {
        assertPieces(rule, text, expected);
    }

    private static void assertPieces(String rule, String text, String expected) {
        boolean whole = !text.endsWith("…");
        var written = (whole ? text : text.substring(0, text.length() - 1))
                .replace('~', '\n')
                .replace('!', '|');
        for (var cut : List.of(List.of(written), Tellings.letters(written))) {
            assertThat(Tellings.told(Tellings.split(Tellings.rule(rule), cut, whole)))
                    .isEqualTo(expected.replace('~', '\n').strip());
        }
    }

    @Test
    void reasoningStreamsAndTheAnswerWaitsForTheEnd() {
        // Given
        var pieces = new ArrayList<TextPiece>();
        var splitter = Tellings.splitter(Tellings.rule("whole"), pieces);
        splitter.accept("<think>\nr");
        assertThat(pieces).isNotEmpty().allMatch(piece -> piece.kind() == Kind.REASONING);
        // When
        splitter.accept("\n</think>");
        pieces.clear();
        splitter.accept("\n\nThe end.");
        // Then
        assertThat(pieces).isEmpty();
        splitter.finish(true);
        assertThat(pieces).containsExactly(new TextPiece(Kind.ANSWER, "The end."));
    }

    @Test
    void theHeldTextIsBounded() {
        // Given
        var much = "x".repeat(ReasoningSplitter.HELD_CHARACTERS_MAX + 1);
        // When
        var pieces = Tellings.split(Tellings.rule("whole"), List.of(much, "</think>\n\ny"), true);
        // Then
        assertThat(pieces).isNotEmpty().allMatch(piece -> piece.kind() == Kind.UNTOLD);
    }

    /// Two million characters in pieces of four, much of it the beginnings of marks: seconds would be
    /// hours, were it quadratic.
    @Test
    void takesTimeInProportionToTheText() {
        var pieces = new ArrayList<TextPiece>();
        var splitter = Tellings.splitter(Tellings.rule("whole"), pieces);
        for (int i = 0; i < 500_000; i++) {
            splitter.accept("<t h");
        }
        splitter.finish(true);
        assertThat(pieces).hasSize(1);
    }
}
