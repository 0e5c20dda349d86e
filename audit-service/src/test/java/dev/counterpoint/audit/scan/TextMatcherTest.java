package dev.counterpoint.audit.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.requests.RecordFilter;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextMatcherTest {
    private static final RecordFilter ALL = new RecordFilter(false, null, null, null, null, null, null, null);

    @Test
    void literalsMatchWithoutRegardToCaseAndInTheirOneForm() {
        var matcher = TextMatcher.of(new Scan("acme", null, ALL, List.of("Jose\u0301 Álvarez", "a+b"), null));

        assertThat(matcher.test("it was JOSÉ ÁLVAREZ.")).isTrue();
        assertThat(matcher.test("so A+B holds")).isTrue();
        assertThat(matcher.test("aab")).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"(a+)+$", "(a|aa)+$", "(a|a)*c", "([a-z]+)*X$"})
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void aHostilePatternEndsOnALongText(String pattern) {
        assertThat(TextMatcher.accepts(pattern)).isTrue();
        var matcher = TextMatcher.of(new Scan("acme", null, ALL, null, pattern));

        assertThat(matcher.test("a".repeat(500_000) + "!")).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "(",
                "(a)\\1",
                "(?=a)b",
                "a{600}",
                "((a{100}){100}){100}",
                "(a{2,}){1000}b{3}",
                "((a{99999999999999999999}){2}){2}",
                "(abcdefghij){60}"
            })
    void aPatternThatIsWrongOrTooLargeIsRefused(String pattern) {
        assertThat(TextMatcher.accepts(pattern)).isFalse();
    }

    @Test
    void anOrdinaryPatternIsAccepted() {
        assertThat(TextMatcher.accepts("\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b")).isTrue();
    }
}
