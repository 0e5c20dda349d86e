package dev.counterpoint.harmony.model;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.Arrays;

/// The tokens of a message as the model sampled them. Immutable.
///
/// While a turn is open its messages are rendered from these, so that the model goes on from its own
/// words and a cached prefix stays one.
public final class SampledSpelling {
    private final int[] header;
    private final int[] body;

    /// @param header from after the role up to `<|message|>`, without either
    /// @param body without the stop token
    public SampledSpelling(int[] header, int[] body) {
        this.header = header.clone();
        this.body = body.clone();
    }

    SampledSpelling withBody(String text) {
        return new SampledSpelling(header, HarmonyTokenizer.shared().encode(text));
    }

    public void writeHeader(TokenBuffer out) {
        out.addAll(header);
    }

    public void writeBody(TokenBuffer out) {
        out.addAll(body);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampledSpelling that
                && Arrays.equals(header, that.header)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(header) + Arrays.hashCode(body);
    }

    /// Without the tokens, which may be reasoning.
    @Override
    public String toString() {
        return "SampledSpelling[" + (header.length + body.length) + " tokens]";
    }
}
