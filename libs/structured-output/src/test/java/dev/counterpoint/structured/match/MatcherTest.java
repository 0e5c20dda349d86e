package dev.counterpoint.structured.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Guard;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.UnsatisfiableException;
import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
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

class MatcherTest {
    private static final int LENGTH_MAX = 7;
    private static final TokenVocabulary VOCABULARY = vocabulary();
    private static final LexemeIndex INDEX = new LexemeIndex(VOCABULARY);

    private final RegexPool pool = RegexPool.shared();

    /// A symbol beside all texts of at most [#LENGTH_MAX] that it matches, found without a parser.
    private record Known(Symbol symbol, Set<String> texts) {}

    /// All texts of one to three of four letters, one of them twice.
    private static TokenVocabulary vocabulary() {
        var texts = new ArrayList<String>(List.of("", "ab"));
        for (int from = 0, length = 1; length <= 3; length++) {
            int to = texts.size();
            for (; from < to; from++) {
                if (texts.get(from).length() == length - 1) {
                    for (char letter : "abc,".toCharArray()) {
                        texts.add(texts.get(from) + letter);
                    }
                }
            }
        }
        return new TokenVocabulary(texts.stream().map(MatcherTest::bytes).toArray(byte[][]::new));
    }

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTokenMayComeExactlyWhenSomeTextContinuesWithIt(int seed) {
        // Given
        var random = new Random(seed);
        var builder = new GrammarBuilder(pool);
        var known = random(builder, random, 4);
        var start = builder.rule();
        builder.add(start, known.symbol);
        if (known.texts.isEmpty() || known.texts.stream().anyMatch(text -> text.length() == LENGTH_MAX)) {
            return;
        }
        var matcher = new Constraint(builder.build(start), INDEX).start();
        var mask = new TokenBits(VOCABULARY.size());
        var soFar = "";
        while (true) {
            // When
            matcher.mask(mask);
            // Then
            assertThat(matcher.accepting()).as("end after " + soFar).isEqualTo(known.texts.contains(soFar));
            assertMask(mask, soFar, known.texts);
            if (mask.cardinality() == 0) {
                assertThat(matcher.ended()).isTrue();
                return;
            }
            soFar += take(matcher, mask, random);
        }
    }

    private static void assertMask(TokenBits mask, String soFar, Set<String> texts) {
        for (int token = 0; token < VOCABULARY.size(); token++) {
            var next = soFar + text(token);
            boolean may = !text(token).isEmpty() && texts.stream().anyMatch(text -> text.startsWith(next));
            assertThat(mask.contains(token)).as(soFar + "|" + text(token)).isEqualTo(may);
        }
    }

    private static String take(Matcher matcher, TokenBits mask, Random random) {
        var may = IntStream.range(0, mask.size()).filter(mask::contains).toArray();
        int token = may[random.nextInt(may.length)];
        assertThat(matcher.accept(token)).isTrue();
        return text(token);
    }

    private Known random(GrammarBuilder builder, Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : 8)) {
            case 0 -> literal(builder, random);
            case 1 -> letters(builder, random);
            case 2, 3 -> sequence(builder, random(builder, random, depth - 1), random(builder, random, depth - 1));
            case 4 -> choice(builder, random(builder, random, depth - 1), random(builder, random, depth - 1));
            case 5 -> optional(builder, random(builder, random, depth - 1));
            case 6 -> list(builder, random(builder, random, 0), random.nextInt(3));
            default -> unordered(builder, List.of(random(builder, random, 0), random(builder, random, depth - 1)));
        };
    }

    private static Known literal(GrammarBuilder builder, Random random) {
        var text = List.of("a", "ab", "abc", "c,", "").get(random.nextInt(5));
        return new Known(builder.literal(text), Set.of(text));
    }

    private Known letters(GrammarBuilder builder, Random random) {
        int max = 1 + random.nextInt(2);
        var texts = new HashSet<String>(Set.of(""));
        for (int i = 0; i < max; i++) {
            for (var text : List.copyOf(texts)) {
                texts.add(text + "a");
                texts.add(text + "b");
            }
        }
        boolean some = random.nextBoolean();
        if (some) {
            texts.remove("");
        }
        return new Known(builder.terminal(pool.repeat(pool.bytes(ByteSet.of('a', 'b')), some ? 1 : 0, max)), texts);
    }

    private static Known sequence(GrammarBuilder builder, Known one, Known other) {
        var texts = new HashSet<String>();
        for (var first : one.texts) {
            for (var second : other.texts) {
                var both = first + second;
                texts.add(both.substring(0, Math.min(LENGTH_MAX, both.length())));
            }
        }
        return new Known(builder.sequence(one.symbol, other.symbol), texts);
    }

    private static Known choice(GrammarBuilder builder, Known one, Known other) {
        var texts = new HashSet<>(one.texts);
        texts.addAll(other.texts);
        return new Known(builder.anyOf(List.of(one.symbol, other.symbol)), texts);
    }

    private static Known optional(GrammarBuilder builder, Known one) {
        var texts = new HashSet<>(one.texts);
        texts.add("");
        return new Known(builder.optional(one.symbol), texts);
    }

    /// Each of them at most once and the first one in any case, in any order, before a comma.
    private static Known unordered(GrammarBuilder builder, List<Known> items) {
        var rest = builder.rule();
        for (int i = 0; i < items.size(); i++) {
            var once = builder.condition(new Guard(1L << i, 0, 1L << i), List.of());
            builder.add(rest, once, items.get(i).symbol, rest);
        }
        var first = List.of(items.getFirst().symbol);
        builder.add(rest, builder.condition(new Guard(0, 1, 0), first), builder.literal(","));
        var comma = new Known(builder.literal(","), Set.of(","));
        var other = items.getLast();
        var all = sequence(builder, items.getFirst(), comma);
        for (var both : List.of(List.of(items.getFirst(), other), List.of(other, items.getFirst()))) {
            all = choice(builder, all, sequence(builder, sequence(builder, both.getFirst(), both.getLast()), comma));
        }
        return new Known(rest, all.texts);
    }

    /// One to three of them with commas, written on the left, on the right or out.
    private static Known list(GrammarBuilder builder, Known item, int form) {
        var comma = new Known(builder.literal(","), Set.of(","));
        var pair = sequence(builder, sequence(builder, item, comma), item);
        var triple = sequence(builder, sequence(builder, pair, comma), item);
        var out = choice(builder, choice(builder, item, pair), triple);
        if (form == 0) {
            return out;
        }
        var two = builder.rule();
        var three = builder.rule();
        builder.add(two, item.symbol);
        builder.add(three, two);
        if (form == 1) {
            builder.add(two, item.symbol, comma.symbol, item.symbol);
            builder.add(three, two, comma.symbol, item.symbol);
        } else {
            builder.add(two, item.symbol, comma.symbol, item.symbol);
            builder.add(three, item.symbol, comma.symbol, two);
        }
        return new Known(three, out.texts);
    }

    @Test
    void bracketsBalanceAtAnyDepth() {
        // Given
        var builder = new GrammarBuilder(pool);
        var value = builder.rule();
        builder.add(value, builder.literal("a"), builder.optional(value), builder.literal("b"));
        var matcher = new Constraint(builder.build(value), INDEX).start();
        var mask = new TokenBits(VOCABULARY.size());
        // When
        for (int i = 0; i < 1_000; i++) {
            assertThat(matcher.accept(bytes("a"))).isTrue();
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(matcher.accepting()).isFalse();
            assertThat(matcher.accept(bytes("b"))).isTrue();
        }
        // Then
        assertThat(matcher.accepting()).isTrue();
        assertThat(matcher.ended()).isTrue();
        matcher.mask(mask);
        assertThat(mask.cardinality()).isZero();
    }

    @Test
    void aTokenThatWasTakenBackCanComeAgain() {
        // Given
        var builder = new GrammarBuilder(pool);
        var start = builder.rule();
        builder.add(start, builder.terminal(pool.repeat(pool.literal("ab"), 1, Regex.UNBOUNDED)), builder.literal("c"));
        var matcher = new Constraint(builder.build(start), INDEX).start();
        matcher.accept(bytes("ab"));
        var copy = matcher.copy();
        matcher.accept(bytes("abc"));
        // When
        matcher.rollback(2);
        // Then
        assertThat(matcher.accept(bytes("c"))).isFalse();
        assertThat(matcher.accept(bytes("abab"))).isTrue();
        assertThat(copy.accept(bytes("c"))).isTrue();
        assertThat(copy.accepting()).isTrue();
    }

    @Test
    void aRuleThatMatchesNoTextIsLeftOut() {
        // Given
        var builder = new GrammarBuilder(pool);
        var start = builder.rule();
        var endless = builder.rule();
        builder.add(endless, builder.literal("a"), endless);
        builder.add(start, builder.literal("a"), endless);
        builder.add(start, builder.literal("ab"));
        var matcher = new Constraint(builder.build(start), INDEX).start();
        // When
        matcher.accept(bytes("a"));
        // Then
        assertThat(matcher.accept(bytes("a"))).isFalse();
        assertThat(matcher.accept(bytes("b"))).isTrue();
    }

    @Test
    void aGrammarWithoutAnyTextIsRefused() {
        // Given
        var builder = new GrammarBuilder(pool);
        var start = builder.rule();
        builder.add(start, builder.literal("a"), start);
        // When, Then
        assertThatThrownBy(() -> builder.build(start)).isInstanceOf(UnsatisfiableException.class);
    }

    private static String text(int token) {
        return new String(VOCABULARY.text(token), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
