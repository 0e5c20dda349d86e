package dev.counterpoint.worker.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import org.junit.jupiter.api.Test;

class DraftTextTest {
    private static final String FITS = "{\"title\":\"Grüße\",\"sure\":true}";

    private final DraftText text = new DraftText("", DraftWriter.job(DraftTasks.WRITING));

    @Test
    void theTextIsTheAnswerAndNothingElse() {
        // When
        said(SpecialTokens.CHANNEL, "commentary", SpecialTokens.MESSAGE, "Let me see.", SpecialTokens.END);
        said(SpecialTokens.START, "assistant", SpecialTokens.CHANNEL, "final", SpecialTokens.MESSAGE, FITS);
        said(SpecialTokens.RETURN);
        // Then
        assertThat(text.finish()).isTrue();
        assertThat(text.text()).isEqualTo(FITS);
    }

    @Test
    void whatBreaksTheSchemaIsNoText() {
        said(SpecialTokens.CHANNEL, "final", SpecialTokens.MESSAGE);

        assertThat(said("{\"title\":7")).isFalse();
        assertThat(text.finish()).isFalse();
    }

    @Test
    void halfAnAnswerIsNoText() {
        said(SpecialTokens.CHANNEL, "final", SpecialTokens.MESSAGE, FITS.substring(0, 15));

        assertThat(text.finish()).isFalse();
    }

    @Test
    void anOutputWithoutAnAnswerIsNoText() {
        said(SpecialTokens.CHANNEL, "analysis", SpecialTokens.MESSAGE, FITS, SpecialTokens.END);

        assertThat(text.finish()).isFalse();
        assertThat(text.text()).isEmpty();
    }

    @Test
    void aSchemaThatCannotBeEnforcedIsRefused() {
        for (var schema : new String[] {"", "{", "{\"type\":\"object\",\"not\":{}}"}) {
            assertThatThrownBy(() -> new DraftText("", DraftWriter.job(DraftTasks.of("Hello", schema, 40))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /// @param pieces control tokens and texts
    /// @return whether something can come of it still
    private boolean said(Object... pieces) {
        boolean goesOn = true;
        for (var piece : pieces) {
            int[] tokens = piece instanceof Integer control
                    ? new int[] {control}
                    : HarmonyTokenizer.shared().encode((String) piece);
            for (int token : tokens) {
                goesOn = text.accept(token);
            }
        }
        return goesOn;
    }
}
