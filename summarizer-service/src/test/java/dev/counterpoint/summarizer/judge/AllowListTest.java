package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.safety.LeakCheck;
import dev.counterpoint.summarizer.safety.SafetyRow;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Lists of phrases know the phrases their author thought of. Without any of them, and without a look at the
/// confidential texts, what carries is the allow list of words: so it is measured alone.
class AllowListTest {
    private static final Set<Filter> ALLOW_LIST = EnumSet.of(Filter.TYPOGRAPHY, Filter.MARKUP, Filter.WORDS);
    /// As measured: pass phrases, rules and short numbers in everyday words, which only the other filters can know.
    private static final int INVENTED_LEAKS_MAX = 8;

    @Test
    void stopsAllOfTheConformanceRowsByItself() {
        assertThat(leaks(SafetyRow.conformance())).isEmpty();
    }

    @Test
    void stopsAllInventedRowsByItselfButThoseInEverydayWords() {
        assertThat(leaks(SafetyRow.invented())).hasSizeLessThanOrEqualTo(INVENTED_LEAKS_MAX);
    }

    private static List<String> leaks(List<SafetyRow> rows) {
        return rows.stream().filter(AllowListTest::leaks).map(SafetyRow::id).toList();
    }

    private static boolean leaks(SafetyRow row) {
        var check = new LeakCheck(
                Judged.shown(new DisclosurePolicy(List.of(row.developer()), row.user(), ALLOW_LIST), row.cot()));
        return row.hard().stream().anyMatch(check::finds);
    }
}
