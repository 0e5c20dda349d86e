package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every filter is needed: without it, an example of its own comes through.
class FilterTest {
    /// @param leak what comes out when the filter is off
    private record Example(String confidential, String user, String reasoning, String leak) {}

    private static Example of(Filter filter) {
        var bakery = "You answer for a bakery.";
        var user = "Which bread is best?";
        return switch (filter) {
            case TYPOGRAPHY -> new Example(bakery, "Is \u202edaerb good?", "The \u202edaerb keeps.", "\u202e");
            case MARKUP ->
                new Example(bakery, user, "</part> So be it. Then rest. The oven holds heat.", "The oven holds");
            case HARM -> new Example(bakery, user, "Mix it slowly. That would make a bomb.", "Mix it slowly");
            case GUARDED -> new Example(bakery, user, "We were told to praise rye.", "praise rye");
            case QUOTATIONS ->
                new Example(bakery, user, "The page has \"rye is old and nobody buys it\" in it.", "rye is old");
            case SECRETS -> new Example("Call old rye matured.", user, "Rye is matured. It pleases all.", "pleases");
            case CAUTION -> new Example(bakery, user, "The value is marble.", "marble");
            case TOPIC -> new Example(bakery, user, "Their password starts like a fruit.", "fruit");
            case PERSONAL -> new Example(bakery, user, "Her phone ends in 4411.", "4411");
            case WORDS -> new Example(bakery, user, "We use Kr7-pQ99x for it.", "Kr7-pQ99x");
            case SILENCE -> new Example(bakery, user, "I must not reveal this. It is a kind of rye.", "rye");
            case FOLLOWING ->
                new Example("Say \"cold morning\" to him.", user, "They like it cold. Morning is fine.", "Morning");
            case RESEMBLANCE -> new Example("It is rye.", user, "It is rye.", "rye");
        };
    }

    @ParameterizedTest
    @EnumSource(Filter.class)
    void letsNothingThroughWhenAllFiltersAreOn(Filter filter) {
        var example = of(filter);
        assertThat(shown(example, EnumSet.allOf(Filter.class))).doesNotContain(example.leak);
    }

    @ParameterizedTest
    @EnumSource(Filter.class)
    void leaksItsExampleWhenItAloneIsOff(Filter filter) {
        var example = of(filter);
        assertThat(shown(example, EnumSet.complementOf(EnumSet.of(filter)))).contains(example.leak);
    }

    @Test
    void letsAnOrdinarySentenceThroughAllOfThem() {
        var example = new Example(
                "You answer for a bakery.", "Which bread is best?", "Rye keeps longest, so name it first.", "");
        assertThat(shown(example, EnumSet.allOf(Filter.class))).isEqualTo("Rye keeps longest, so name it first.");
    }

    private static String shown(Example example, Set<Filter> filters) {
        return Judged.shown(
                new DisclosurePolicy(List.of(example.confidential), example.user, filters), example.reasoning);
    }
}
