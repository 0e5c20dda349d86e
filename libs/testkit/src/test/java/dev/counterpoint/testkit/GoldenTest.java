package dev.counterpoint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GoldenTest {
    @Test
    void findsTheCasesByName() {
        assertThat(Golden.all("golden-self")).map(Golden::toString).containsExactly("farewell", "greeting");
    }

    @Test
    void namesTheFirstLineThatDiffers() {
        // Given
        var greeting = Golden.all("golden-self")
                .filter(golden -> golden.toString().equals("greeting"))
                .findFirst()
                .orElseThrow();
        // When
        greeting.verify("then.txt", "hello\nworld\n");
        // Then
        assertThatThrownBy(() -> greeting.verify("then.txt", "hello\nmoon\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("then.txt differs at line 2")
                .hasMessageContaining("expected: world")
                .hasMessageContaining("but was:  moon");
    }
}
