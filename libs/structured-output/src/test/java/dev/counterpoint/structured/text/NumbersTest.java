package dev.counterpoint.structured.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("random")
class NumbersTest {
    private static final int SCALE = Integer.getInteger("scale", 1);
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final Pattern DECIMAL = Pattern.compile(INTEGER + "(\\.[0-9]+)?");
    private static final Pattern NUMBER = Pattern.compile(DECIMAL + "([eE][+-]?([01]?[0-9]{1,2}|2[0-5][0-9]))?");
    private static final String[] FACTORS = {
        "1", "2", "3", "4", "5", "7", "10", "12", "60", "100", "250", "1e3", "0.1", "0.01", "0.05", "0.25", "2.5",
        "0.3", "1.5", "0.07", "13.37", "1024", "1e-3", "0.125", "99"
    };

    private final RegexPool pool = new RegexPool();
    private final Random random = new Random(11);

    private static boolean matches(Regex regex, String text) {
        return regex.matches(text.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable BigDecimal bound() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> null;
            case 2 -> BigDecimal.valueOf(random.nextInt(-20, 21));
            case 3 -> BigDecimal.valueOf(random.nextInt(-2_000, 2_000), 1);
            case 4 -> BigDecimal.valueOf(random.nextInt(-2_000, 2_000), random.nextInt(-1, 4));
            default -> BigDecimal.valueOf(random.nextInt(-200_000, 200_000), 2);
        };
    }

    private NumberRange range() {
        return new NumberRange(bound(), random.nextBoolean(), bound(), random.nextBoolean());
    }

    /// Near the bounds more often than elsewhere.
    private String text(NumberRange range) {
        var near = random.nextBoolean() ? range.min() : range.max();
        if (near != null && random.nextInt(3) > 0) {
            var moved = near.add(BigDecimal.valueOf(random.nextInt(-3, 4), random.nextInt(4)));
            return moved.setScale(Math.max(0, moved.scale()) + random.nextInt(2))
                    .toPlainString();
        }
        var text = new StringBuilder();
        for (int left = random.nextInt(1, 7); left > 0; left--) {
            text.append("0012345678999.-".charAt(random.nextInt(15)));
        }
        return text.toString();
    }

    @Test
    void numbersLieInTheirRange() {
        for (int i = 0; i < 3_000; i++) {
            // Given
            var range = range();
            // When
            var integers = Numbers.integer(pool, range, null);
            var numbers = Numbers.number(pool, range, null);
            // Then
            for (int j = 0; j < 40; j++) {
                var text = text(range);
                boolean decimal = DECIMAL.matcher(text).matches();
                boolean fits = decimal && range.contains(new BigDecimal(text));
                assertThat(matches(numbers, text)).as("%s in %s", text, range).isEqualTo(fits);
                assertThat(matches(integers, text))
                        .as("integer %s in %s", text, range)
                        .isEqualTo(fits && INTEGER.matcher(text).matches());
            }
        }
    }

    @Test
    void multiplesAreMultiples() {
        for (int i = 0; i < 10 * SCALE; i++) {
            // Given
            var range = random.nextInt(3) == 0 ? NumberRange.UNBOUNDED : range();
            var factor = new BigDecimal(FACTORS[random.nextInt(FACTORS.length)]);
            // When
            var integers = Numbers.integer(pool, range, factor);
            var numbers = Numbers.number(pool, range, factor);
            // Then
            for (int j = 0; j < 100; j++) {
                var text = random.nextBoolean() ? text(range) : multiple(factor);
                boolean fits = DECIMAL.matcher(text).matches()
                        && range.contains(new BigDecimal(text))
                        && new BigDecimal(text).remainder(factor).signum() == 0;
                assertThat(matches(numbers, text))
                        .as("%s in %s by %s", text, range, factor)
                        .isEqualTo(fits);
                assertThat(matches(integers, text))
                        .as("integer %s in %s by %s", text, range, factor)
                        .isEqualTo(fits && INTEGER.matcher(text).matches());
            }
        }
    }

    private String multiple(BigDecimal factor) {
        var multiple = factor.multiply(BigDecimal.valueOf(random.nextInt(-500, 500)));
        return multiple.setScale(Math.max(0, multiple.scale()) + random.nextInt(2))
                .toPlainString();
    }

    @Test
    void numbersWithoutBoundsMayHaveAnExponent() {
        // Given
        var any = Numbers.number(pool, NumberRange.UNBOUNDED, null);
        var positive = Numbers.number(pool, NumberRange.UNBOUNDED.greaterThan(BigDecimal.ZERO), null);
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            for (int left = random.nextInt(1, 8); left > 0; left--) {
                text.append("0129.-+eE".charAt(random.nextInt(9)));
            }
            // Then
            boolean number = NUMBER.matcher(text).matches();
            assertThat(matches(any, text.toString())).as(text.toString()).isEqualTo(number);
            assertThat(matches(positive, text.toString()))
                    .isEqualTo(number && new BigDecimal(text.toString()).signum() > 0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1e300, 1e301, 1e300, true", "1e-7, 1, 0.0000001, true", "1e-7, 1, 0.00000009, false",
                "0, 18446744073709551615, 18446744073709551615, true",
        "0, 18446744073709551615, 18446744073709551616, false", "-0.5, 0, -0, true", "0, 1, -0.0, true",
                "1, 2, -0, false"
    })
    void boundsAreExactWhateverTheirSize(BigDecimal min, BigDecimal max, BigDecimal number, boolean fits) {
        var range = NumberRange.UNBOUNDED.atLeast(min).atMost(max);
        assertThat(matches(Numbers.number(pool, range, null), number.toPlainString()))
                .isEqualTo(fits);
    }

    @Test
    void aNumberBelowAnOpenBoundIsStillBelowItAsADouble() {
        var range = NumberRange.UNBOUNDED.lessThan(BigDecimal.ONE);
        assertThat(matches(Numbers.number(pool, range, null), "0.99999999999999"))
                .isTrue();
        assertThat(matches(Numbers.number(pool, range, null), "0.99999999999999999999"))
                .isFalse();
    }

    @Test
    void digitsEnd() {
        var any = Numbers.number(pool, NumberRange.UNBOUNDED, null);
        assertThat(matches(any, "1".repeat(40) + "." + "1".repeat(40))).isTrue();
        assertThat(matches(any, "1".repeat(41))).isFalse();
        assertThat(matches(any, "1." + "1".repeat(41))).isFalse();
        assertThat(matches(any, "1e1000")).isFalse();
    }

    @Test
    void anEmptyRangeMatchesNothing() {
        var range = NumberRange.UNBOUNDED.greaterThan(BigDecimal.ONE).lessThan(BigDecimal.TWO);
        assertThat(Numbers.integer(pool, range, null).isEmpty()).isTrue();
        assertThat(Numbers.number(pool, range, null).isEmpty()).isFalse();
        assertThat(Numbers.number(pool, range, new BigDecimal("2.5")).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1234567", "1e-50", "1e1000000000", "0.123456789012345678901"})
    void refusesFactorsOfTooManyRemainders(BigDecimal factor) {
        assertThatThrownBy(() -> Numbers.number(pool, NumberRange.UNBOUNDED, factor))
                .isInstanceOf(TooComplexException.class)
                .hasMessageContaining("multipleOf");
    }

    @ParameterizedTest
    @CsvSource({"1.0, 1.0", "1.0, 1", "1E+3, 1E+3", "1E+3, 1000", "1E-7, 0.0000001", "0.50, 0.50", "-7, -7"})
    void aLiteralIsSpelledAsGivenAndPlainly(BigDecimal number, String text) {
        assertThat(matches(Numbers.literal(pool, number), text)).isTrue();
    }
}
