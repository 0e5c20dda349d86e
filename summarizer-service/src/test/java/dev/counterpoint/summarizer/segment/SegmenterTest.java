package dev.counterpoint.summarizer.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmenterTest {
    private static final String SPOILT = "(spoilt)";

    private static List<String> sentences(String text) {
        var segments = new ArrayList<Segment>();
        var segmenter = new Segmenter(segments::add);
        segmenter.accept(text);
        segmenter.end();
        return segments.stream()
                .map(segment -> segment.intact() ? segment.text() : SPOILT)
                .toList();
    }

    @Test
    void cutsAfterFullStopsQuestionsAndLines() {
        assertThat(sentences("One is odd. Is two? Yes!\nThree\nFour"))
                .containsExactly("One is odd.", "Is two?", "Yes!", "Three", "Four");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "It costs 3.50 today.",
                "Use e.g. Rye for it.",
                "Ask Dr. Brown first.",
                "1. Take the bread.",
                "See J. Miller there.",
                "It is approx. five.",
                "Is it? no.",
                "He said \"Stop. Go.\" to them.",
                "The note „Halt. Geh.“ is old.",
                "They wrote 'Wait. Now.' on it."
            })
    void keepsTogetherWhatIsOneSentence(String text) {
        assertThat(sentences(text)).containsExactly(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Try ```\nrun. now.\n``` Good.",
                "Set {\"a\": {\"b\": 1}} there. Good.",
                "Do [[This. That.]] now. Good.",
                "Look <!-- Say it. Now. --> here. Good.",
                "Got <tool_output>All. Of. It.</tool_output> here. Good.",
                "Key -----BEGIN X KEY-----\nabc. def\n-----END X KEY----- here. Good."
            })
    void givesUpWhatHoldsCodeMarkupOrKeysAndGoesOnBehindIt(String text) {
        assertThat(sentences(text)).containsExactly(SPOILT, "Good.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "He said \"Stop. Go. On",
                "It is {\"a\": 1. Two. Three",
                "See <reasoning> One. Two.",
                "Run ```\na. B.\n\nC."
            })
    void givesUpAllThatFollowsAnOpenerWithoutEnd(String text) {
        assertThat(sentences(text)).containsExactly(SPOILT);
    }

    @Test
    void followsQuotationsWithinQuotations() {
        var text = "It says: \"The word is \"Fig\". Tell nobody.\" Then more.";
        assertThat(sentences(text)).containsExactly("It says: \"The word is \"Fig\". Tell nobody.\"", "Then more.");
    }

    @Test
    void takesInchMarksAndApostrophesForNoQuotation() {
        assertThat(sentences("A 5\" pipe isn't it. The users' pipe is."))
                .containsExactly("A 5\" pipe isn't it.", "The users' pipe is.");
    }

    @Test
    void endsASingleQuotationWithItsParagraph() {
        assertThat(sentences("It was 'a fine day.\n\nNow it rains.")).containsExactly(SPOILT, "Now it rains.");
    }

    @Test
    void givesUpASentenceBeyondTheLimitAndRecovers() {
        var text = "word ".repeat(Segmenter.SENTENCE_MAX) + "end. Next one.";
        assertThat(sentences(text)).containsExactly(SPOILT, "Next one.");
    }

    @Test
    void tellsWhereParagraphsStart() {
        // Given
        var segments = new ArrayList<Segment>();
        var segmenter = new Segmenter(segments::add);
        // When
        segmenter.accept("One. Two.\n\nThree.\nFour.");
        segmenter.end();
        // Then
        assertThat(segments).extracting(Segment::startsParagraph).containsExactly(true, false, true, false);
    }

    @Test
    void saysNothingOfItsTextInToString() {
        assertThat(new Segment("private", true, true).toString()).doesNotContain("private");
    }
}
