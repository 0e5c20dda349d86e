package dev.counterpoint.harmony.tokenizer;

/// The control tokens of o200k_harmony. Ids 199998 to 201088 are special; all others are pieces of text.
public final class SpecialTokens {
    public static final int START_OF_TEXT = 199998;
    public static final int END_OF_TEXT = 199999;
    public static final int RETURN = 200002;
    public static final int CONSTRAIN = 200003;
    public static final int CHANNEL = 200005;
    public static final int START = 200006;
    public static final int END = 200007;
    public static final int MESSAGE = 200008;
    public static final int CALL = 200012;

    /// The first special id.
    public static final int FIRST = START_OF_TEXT;

    /// The last id of the vocabulary.
    public static final int LAST = 201088;

    private SpecialTokens() {}

    /// Whether the id is a control token, reserved ones included.
    public static boolean isSpecial(int token) {
        return token >= FIRST && token <= LAST;
    }

    /// Whether the id ends a message: `<|end|>`, `<|return|>` or `<|call|>`.
    public static boolean isStop(int token) {
        return token == END || token == RETURN || token == CALL;
    }

    /// Whether the id ends sampling: `<|return|>`, `<|call|>` or `<|endoftext|>`. `<|end|>` does not.
    public static boolean endsSampling(int token) {
        return token == RETURN || token == CALL || token == END_OF_TEXT;
    }

    public static String text(int token) {
        return switch (token) {
            case START_OF_TEXT -> "<|startoftext|>";
            case END_OF_TEXT -> "<|endoftext|>";
            case RETURN -> "<|return|>";
            case CONSTRAIN -> "<|constrain|>";
            case CHANNEL -> "<|channel|>";
            case START -> "<|start|>";
            case END -> "<|end|>";
            case MESSAGE -> "<|message|>";
            case CALL -> "<|call|>";
            // Not with +, whose first use alone would be a tenth of the vocabulary's loading time.
            default -> "<|reserved_".concat(Integer.toString(token)).concat("|>");
        };
    }
}
