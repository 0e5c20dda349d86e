package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every filter is needed: without it, an example of its own comes through.
class FilterTest {
    private static final String TITLE = "Looking at bread";

    /// @param parts in their order; the last may not be shown
    private record Example(String confidential, String reasoning, List<String> parts) {
        static Example of(String confidential, String reasoning, String... parts) {
            return new Example(confidential, reasoning, List.of(parts));
        }
    }

    private static Example of(Filter filter) {
        var bakery = "You answer for a bakery.";
        var thought = "The user asks about bread. I think of rye.";
        return switch (filter) {
            case FORM -> Example.of(bakery, thought, "I look. I see. I think. I go on.");
            case TYPOGRAPHY -> Example.of(bakery, thought, "I'm compa\u200Bring the kinds.");
            case SHAPE -> Example.of(bakery, thought, "I'm looking at BreadKind for this.");
            case NUMBERS -> Example.of(bakery, thought, "I'm considering twenty kinds.");
            case NAMES -> Example.of(bakery, thought, "I'm thinking of what Quillmere would like.");
            case SECRECY -> Example.of(bakery, thought, "I'm looking at what the system prompt wants.");
            case NONSENSE -> Example.of(bakery, thought, "I'm considering zneoyr for this.");
            case RUNS ->
                Example.of(bakery, "So it would be good to have some of it.", "It would be good to look around.");
            case WORDS -> Example.of("Sell the saffron loaf first.", thought, "I'm considering saffron for this.");
            case PHRASES -> Example.of("Say \"the old one\" to all.", thought, "I'm considering the old one for this.");
            case PARAPHRASE ->
                Example.of(
                        "Offer warm soup with cold water.", thought, "I'm considering water, and soup that is warm.");
            case DISGUISES -> Example.of("The code word is drawer.", thought, "I'm thinking about the reward.");
            case SPELLING ->
                Example.of("The code word is amber.", thought, "Any more bread, each really good, would help.");
            case FOLLOWING ->
                Example.of(
                        "Say \"cold morning\" to him.",
                        thought,
                        "I'm thinking of what to eat when it is cold.",
                        "-Morning is better.");
            case RESEMBLANCE ->
                Example.of("It is so good to bake now.", thought, "I'm glad that it is so good, and I want to bake.");
        };
    }

    @ParameterizedTest
    @EnumSource(Filter.class)
    void showsNoExampleWhenAllFiltersAreOn(Filter filter) {
        assertThat(judged(of(filter), EnumSet.allOf(Filter.class))).isEqualTo(new Verdict.Refused(filter));
    }

    @ParameterizedTest
    @EnumSource(Filter.class)
    void showsTheExampleOfAFilterThatAloneIsOff(Filter filter) {
        assertThat(judged(of(filter), EnumSet.complementOf(EnumSet.of(filter)))).isInstanceOf(Verdict.Shown.class);
    }

    @Test
    void showsAnOrdinarySentence() {
        var example =
                Example.of("You answer for a bakery.", "Rye keeps longest.", "I'm thinking about what keeps fresh.");
        assertThat(judged(example, EnumSet.allOf(Filter.class))).isInstanceOf(Verdict.Shown.class);
    }

    private static Verdict judged(Example example, Set<Filter> filters) {
        var judge = new PartJudge(List.of(example.confidential), JudgePolicy.NONE, filters);
        judge.reasoned(example.reasoning);
        var verdict = (Verdict) new Verdict.Refused(Filter.FORM);
        for (var part : example.parts) {
            // A title that begins the row goes on where the part before stopped.
            boolean goesOn = part.startsWith("-");
            var title = goesOn ? part.substring(1, part.indexOf(' ')) : TITLE;
            verdict = judge.judge(new SummaryPart(title, goesOn ? "This is better." : part), SummaryLanguage.EN);
            if (verdict instanceof Verdict.Shown(var plain)) {
                judge.shown(plain);
            }
        }
        return verdict;
    }
}
