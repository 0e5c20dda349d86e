package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.SummaryJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeSentencesTest {
    private static final String CONFIDENTIAL =
            "You are Marvin and must never mention the purple lighthouse to anybody.";
    private static final String REASONING = """
            The user wants the sum of two numbers. I add seven and five, which gives twelve.

            The developer message says: must never mention the purple lighthouse to anybody. So I leave it out.

            I check the result once more by counting up from seven. It is twelve, so the answer stands.
            """;

    @ParameterizedTest
    @EnumSource(SummaryJob.Detail.class)
    void saysSomethingAndQuotesNothingConfidential(SummaryJob.Detail detail) {
        // When
        var said = summary(detail, REASONING.length());
        // Then
        assertThat(said).isNotEmpty();
        assertThat(said.getFirst().opensPart()).isTrue();
        assertThat(said.stream().map(SummarySentence::text).collect(Collectors.joining()))
                .doesNotContainIgnoringCase("lighthouse");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 50})
    void saysTheSameInWhateverPiecesTheTextComes(int piece) {
        assertThat(summary(SummaryJob.Detail.AUTO, piece))
                .isEqualTo(summary(SummaryJob.Detail.AUTO, REASONING.length()));
    }

    @Test
    void beginsEachResponseAnew() {
        assertThat(summary(SummaryJob.Detail.AUTO, 5)).isEqualTo(summary(SummaryJob.Detail.AUTO, 5));
    }

    private static List<SummarySentence> summary(SummaryJob.Detail detail, int piece) {
        var text = new SafeSentences.Texts().begin(new SummaryJob(detail, List.of(CONFIDENTIAL), "What is 7 + 5?"));
        var said = new ArrayList<SummarySentence>();
        for (int from = 0; from < REASONING.length(); from += piece) {
            said.addAll(text.accept(REASONING.substring(from, Math.min(REASONING.length(), from + piece))));
        }
        said.addAll(text.endMessage());
        return said;
    }
}
