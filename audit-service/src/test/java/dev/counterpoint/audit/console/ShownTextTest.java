package dev.counterpoint.audit.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTextTest {
    @Test
    void showsWhatHidesOrReorders() {
        var text = "a\u202eb\u2066c\u200bd\u0000e\rf\ufe0fg\ud83d\ude00h\ud800i\n\tj\u00a0é";

        assertThat(ShownText.of(text))
                .isEqualTo("a⟦U+202E⟧b⟦U+2066⟧c⟦U+200B⟧d⟦U+0000⟧e⟦U+000D⟧f⟦U+FE0F⟧g\ud83d\ude00h⟦U+D800⟧i\n\tj\u00a0é");
    }

    @Test
    void cutsATextIntoPiecesWithoutLosingAnyOfIt() {
        var text = "line\n".repeat(60) + "x".repeat(5_000);

        var pieces = ShownText.pieces(text);

        assertThat(String.join("", pieces)).isEqualTo(text);
        assertThat(pieces).hasSizeBetween(5, 6).allMatch(piece -> piece.length() <= 2_000);
        assertThat(ShownText.pieces("")).containsExactly("");
    }
}
