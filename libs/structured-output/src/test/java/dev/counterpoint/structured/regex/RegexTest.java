package dev.counterpoint.structured.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RegexTest {
    private static final int LENGTH_MAX = 5;
    private static final List<String> TEXTS = texts();

    private final RegexPool pool = new RegexPool();

    /// An expression beside the set of the texts of [#TEXTS] that it matches, found without automata.
    private record Known(Regex regex, Set<String> matches) {}

    private static List<String> texts() {
        var all = new ArrayList<String>(List.of(""));
        for (int from = 0, length = 1; length <= LENGTH_MAX; length++) {
            int to = all.size();
            for (; from < to; from++) {
                for (char letter : new char[] {'a', 'b', 'c'}) {
                    all.add(all.get(from) + letter);
                }
            }
        }
        return all;
    }

    static IntStream seeds() {
        return IntStream.range(0, 400);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anExpressionMatchesWhatItsPartsSay(int seed) {
        // Given
        var random = new Random(seed);
        // When
        var known = random(random, 4);
        // Then
        for (var text : TEXTS) {
            assertThat(known.regex.matches(bytes(text))).as(text).isEqualTo(known.matches.contains(text));
        }
        if (!known.matches.isEmpty()) {
            assertThat(known.regex.isEmpty()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aPrefixLivesOnlyIfAMatchContinuesIt(int seed) {
        // Given
        var regex = random(new Random(seed), 4).regex;
        // When
        for (var text : TEXTS) {
            var rest = text.isEmpty() && regex.isEmpty() ? null : regex.step(bytes(text));
            // Then
            if (rest != null) {
                assertThat(hasMatch(rest)).as("something follows " + text).isTrue();
            }
        }
    }

    /// Looks for a match breadth first, without what the expression says of itself.
    private static boolean hasMatch(Regex start) {
        var seen = new HashSet<Regex>(Set.of(start));
        var queue = new ArrayList<>(seen);
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).nullable()) {
                return true;
            }
            for (int value = 0; value < Transitions.BYTES; value++) {
                var next = queue.get(i).step(value);
                if (next != null && seen.add(next)) {
                    queue.add(next);
                }
            }
        }
        return false;
    }

    private Known random(Random random, int depth) {
        int choice = random.nextInt(depth == 0 ? 3 : 9);
        return switch (choice) {
            case 0 -> letters(random);
            case 1 -> known(pool.literal("ab"), Set.of("ab"));
            case 2 -> random.nextInt(4) == 0 ? known(pool.empty(), Set.of("")) : letters(random);
            case 3, 4 -> concat(random(random, depth - 1), random(random, depth - 1));
            case 5 -> or(random(random, depth - 1), random(random, depth - 1));
            case 6 -> and(random(random, depth - 1), random(random, depth - 1));
            case 7 -> not(random(random, depth - 1));
            default -> repeat(random(random, depth - 1), random.nextInt(3), random.nextInt(4));
        };
    }

    private Known letters(Random random) {
        var set = ByteSet.NONE;
        var texts = new HashSet<String>();
        for (char letter = 'a'; letter <= 'c'; letter++) {
            if (random.nextBoolean()) {
                set = set.or(ByteSet.of(letter));
                texts.add(Character.toString(letter));
            }
        }
        return known(pool.bytes(set), texts);
    }

    private static Known known(Regex regex, Set<String> matches) {
        return new Known(regex, matches);
    }

    private Known concat(Known one, Known other) {
        var texts = new HashSet<String>();
        for (var first : one.matches) {
            for (var second : other.matches) {
                if (first.length() + second.length() <= LENGTH_MAX) {
                    texts.add(first + second);
                }
            }
        }
        return known(pool.concat(one.regex, other.regex), texts);
    }

    private Known or(Known one, Known other) {
        var texts = new HashSet<>(one.matches);
        texts.addAll(other.matches);
        return known(pool.or(one.regex, other.regex), texts);
    }

    private Known and(Known one, Known other) {
        var texts = new HashSet<>(one.matches);
        texts.retainAll(other.matches);
        return known(pool.and(one.regex, other.regex), texts);
    }

    private Known not(Known one) {
        var texts = new HashSet<>(TEXTS);
        texts.removeAll(one.matches);
        return known(pool.not(one.regex), texts);
    }

    private Known repeat(Known one, int min, int more) {
        boolean unbounded = more == 3;
        var result = known(pool.empty(), Set.of(""));
        var all = new HashSet<String>();
        for (int count = 0; count <= (unbounded ? min + LENGTH_MAX : min + more); count++) {
            if (count >= min) {
                all.addAll(result.matches);
            }
            result = concat(result, one);
        }
        return known(pool.repeat(one.regex, min, unbounded ? Regex.UNBOUNDED : min + more), all);
    }

    @Test
    void equalExpressionsAreOneObject() {
        // When
        var one = pool.concat(pool.literal("a"), pool.or(pool.literal("bc"), pool.literal("bd")));
        var other = pool.or(pool.literal("abd"), pool.literal("abc"));
        // Then
        assertThat(one).isSameAs(other);
    }

    @Test
    void nestedQuantifiersMakeFewStates() {
        // Given
        var regex = pool.repeat(pool.repeat(pool.literal("a"), 1, 100), 1, 100);
        var text = "a".repeat(10_001);
        // When
        try (var limit = WorkLimit.of(1_000_000)) {
            boolean matches = regex.matches(bytes(text));
            // Then
            assertThat(matches).isFalse();
            assertThat(limit.spent()).isLessThan(200_000);
        }
    }

    @Test
    void whatIsTooComplexIsRefusedByName() {
        // Given
        var any = pool.anything();
        var regex = pool.concat(any, pool.literal("a"), pool.repeat(pool.bytes(ByteSet.ALL), 30, 30));
        var twice = pool.and(regex, pool.not(pool.concat(regex, pool.literal("b"))));
        // When, Then
        try (var _ = WorkLimit.of(10_000)) {
            assertThatThrownBy(() -> {
                        Regex state = twice;
                        var random = new Random(1);
                        while (state != null) {
                            state = state.step('a' + random.nextInt(2));
                        }
                    })
                    .isInstanceOf(TooComplexException.class)
                    .hasMessageContaining("10000 steps");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
