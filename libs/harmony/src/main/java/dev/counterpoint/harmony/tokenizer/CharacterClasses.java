package dev.counterpoint.harmony.tokenizer;

/// What the pre-tokenizer wants to know of a character, as bits.
final class CharacterClasses {
    static final int SPACE = 1;
    static final int LINE_END = 2;
    /// Lu, Lt, Lm, Lo, M: may stand in the upper-case part of a word.
    static final int UPPER = 4;
    /// Ll, Lm, Lo, M: may stand in the lower-case part of a word.
    static final int LOWER = 8;
    static final int NUMBER = 16;
    static final int LETTER = 32;

    /// Of the basic plane: all that most texts have.
    private static final byte[] BASIC = basic();

    private CharacterClasses() {}

    static int of(int codePoint) {
        return codePoint < BASIC.length ? BASIC[codePoint] : ofCategory(Character.getType(codePoint));
    }

    private static byte[] basic() {
        var classes = new byte[Character.MIN_SUPPLEMENTARY_CODE_POINT];
        for (int c = 0; c < classes.length; c++) {
            classes[c] = (byte) (ofCategory(Character.getType(c)) | (isSpace(c) ? SPACE : 0));
        }
        classes['\n'] |= LINE_END;
        classes['\r'] |= LINE_END;
        return classes;
    }

    private static int ofCategory(int category) {
        return switch (category) {
            case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> UPPER | LETTER;
            case Character.LOWERCASE_LETTER -> LOWER | LETTER;
            case Character.MODIFIER_LETTER, Character.OTHER_LETTER -> UPPER | LOWER | LETTER;
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
                UPPER | LOWER;
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> NUMBER;
            default -> 0;
        };
    }

    /// Unicode's White_Space; it has none beyond the basic plane.
    private static boolean isSpace(int c) {
        return c >= 0x09 && c <= 0x0D
                || c == 0x20
                || c == 0x85
                || c == 0xA0
                || c == 0x1680
                || c >= 0x2000 && c <= 0x200A
                || c == 0x2028
                || c == 0x2029
                || c == 0x202F
                || c == 0x205F
                || c == 0x3000;
    }
}
