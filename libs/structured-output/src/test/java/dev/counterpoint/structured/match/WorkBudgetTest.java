package dev.counterpoint.structured.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.structured.lark.GrammarSyntax;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkBudget;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkBudgetTest {
    /// Letters, and texts of two of them.
    private static final TokenVocabulary VOCABULARY = new TokenVocabulary(IntStream.range(0, 26 * 27)
            .mapToObj(id -> letter(id / 26 - 1) + letter(id % 26))
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
    private static final int A = 0;
    /// Twice as many states with each letter.
    private static final String BOMB = "(.*a.{30})+(.*b.{30})+";

    private final TokenBits mask = new TokenBits(VOCABULARY.size());

    private static String letter(int number) {
        return number < 0 ? "" : Character.toString('a' + number);
    }

    private static Matcher matcher(String regex) {
        var grammar = GrammarSyntax.REGEX.compile(regex, new RegexPool());
        return new Constraint(grammar, new LexemeIndex(VOCABULARY)).start();
    }

    @Test
    void whatIsSpentIsSpentForCopiesTooAndForEver() {
        // Given
        var matcher = matcher(BOMB);
        var copy = matcher.copy();
        // When
        assertThatThrownBy(() -> {
                    for (int token = A; true; token = 1 - token) {
                        matcher.mask(mask);
                        matcher.accept(token);
                    }
                })
                .isInstanceOf(TooComplexException.class)
                .hasMessageContaining(Matcher.STEPS_MAX + " steps");
        // Then
        assertThatThrownBy(() -> copy.mask(mask)).isInstanceOf(TooComplexException.class);
        assertThatThrownBy(() -> matcher.mask(mask)).isInstanceOf(TooComplexException.class);
    }

    @Test
    void aCancelledOneDoesNoFurtherStep() {
        // Given
        var matcher = matcher("[a-c]{5}");
        var copy = matcher.copy();
        // When
        matcher.cancel();
        // Then
        assertThatThrownBy(() -> copy.mask(mask)).isInstanceOf(TooComplexException.class);
    }

    @Test
    void tokensEarnWorkUpToWhatThereWasAtFirst() {
        // Given
        var budget = new WorkBudget(10, 10);
        spend(budget, 8);
        // When
        budget.refill(100);
        // Then
        spend(budget, 10);
        assertThatThrownBy(() -> spend(budget, 1)).isInstanceOf(TooComplexException.class);
        budget.refill(100);
        assertThatThrownBy(() -> spend(budget, 1)).isInstanceOf(TooComplexException.class);
    }

    @Test
    void expressionsInMemoryAreCountedForThemselvesAndEarnedByNothing() {
        // Given
        var budget = new WorkBudget(1_000_000, 50);
        var pool = new RegexPool();
        // When
        assertThatThrownBy(() -> {
                    for (int i = 0; true; i++) {
                        budget.refill(1_000);
                        try (var _ = WorkLimit.of(budget)) {
                            pool.literal("text" + i);
                        }
                    }
                })
                .isInstanceOf(TooComplexException.class);
        // Then
        try (var limit = WorkLimit.of(budget)) {
            assertThat(limit.spent()).isEqualTo(51);
        }
    }

    @Test
    void ordinaryGrammarsNeedLittleOfIt() {
        var matcher = matcher("[a-z]{1,2000}");

        for (int i = 0; i < 1_500; i++) {
            matcher.mask(mask);
            assertThat(matcher.accept(i % 26)).isTrue();
        }
    }

    private static void spend(WorkBudget budget, int steps) {
        try (var _ = WorkLimit.of(budget)) {
            WorkLimit.spend(steps);
        }
    }
}
