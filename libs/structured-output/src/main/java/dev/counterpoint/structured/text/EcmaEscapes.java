package dev.counterpoint.structured.text;

import java.util.function.Supplier;

/// Reads what stands behind a backslash, other than assertions.
final class EcmaEscapes {
    static final Characters DIGITS = Characters.range('0', '9');
    static final Characters WORD =
            DIGITS.or(Characters.range('A', 'Z')).or(Characters.range('a', 'z')).or(Characters.of('_'));
    static final Characters SPACE = Characters.range('\t', '\r')
            .or(Characters.of(' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff))
            .or(Characters.range(0x2000, 0x200a));

    private static final String CONTROL_NAMES = "tnvfr";
    private static final int[] CONTROLS = {'\t', '\n', 0x0b, '\f', '\r'};

    private final PatternSource source;

    EcmaEscapes(PatternSource source) {
        this.source = source;
    }

    /// @param single the only character of the set, or [PatternSource#NONE] when it stands for a class
    record Escape(Characters set, int single) {}

    private static Escape single(int codePoint) {
        return new Escape(Characters.of(codePoint), codePoint);
    }

    private static Escape ofClass(Characters set) {
        return new Escape(set, PatternSource.NONE);
    }

    /// Reads from behind the backslash.
    Escape read() {
        int start = source.position() - 1;
        int name = source.next();
        return switch (name) {
            case 'd' -> ofClass(DIGITS);
            case 'D' -> ofClass(DIGITS.complement());
            case 'w' -> ofClass(WORD);
            case 'W' -> ofClass(WORD.complement());
            case 's' -> ofClass(SPACE);
            case 'S' -> ofClass(SPACE.complement());
            case 'p' -> ofClass(property(start));
            case 'P' -> ofClass(property(start).complement());
            case 'x' -> single(hex(2, start));
            case 'u' -> single(unicode(start));
            case 'c' -> single(control(start));
            case '0' -> single(zero(start));
            default -> other(name, start);
        };
    }

    private Escape other(int name, int start) {
        int control = CONTROL_NAMES.indexOf(name);
        if (control >= 0) {
            return single(CONTROLS[control]);
        }
        if (PatternSource.isDigit(name) || name == 'k') {
            throw new UnsupportedPatternException("A backreference", start);
        }
        if (name == PatternSource.NONE) {
            throw new UnsupportedPatternException("A backslash with nothing behind it", start);
        }
        if (PatternSource.isLetter(name)) {
            throw new UnsupportedPatternException("The escape \\" + (char) name, start);
        }
        return single(name);
    }

    private int zero(int start) {
        if (PatternSource.isDigit(source.peek())) {
            throw new UnsupportedPatternException("An octal escape", start);
        }
        return 0;
    }

    private int control(int start) {
        int letter = source.next();
        if (!PatternSource.isLetter(letter)) {
            throw new UnsupportedPatternException("The escape \\c without a letter", start);
        }
        return letter & 0x1f;
    }

    private int unicode(int start) {
        int unit = hex(4, start);
        if (Character.isSurrogate((char) unit) && unit <= Character.MAX_HIGH_SURROGATE && source.looksAt("\\u")) {
            int before = source.position();
            source.skip(2);
            int low = source.peek() == '{' ? 0 : hex(4, start);
            if (low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE) {
                return Character.toCodePoint((char) unit, (char) low);
            }
            source.goTo(before);
        }
        return unit;
    }

    /// So many digits, or any number of them in braces.
    private int hex(int digits, int start) {
        Supplier<UnsupportedPatternException> malformed =
                () -> new UnsupportedPatternException("A malformed hexadecimal escape", start);
        String text;
        if (source.take("{")) {
            text = source.until('}', "An escape without }");
        } else {
            var read = new StringBuilder();
            for (int i = 0; i < digits && !source.atEnd(); i++) {
                read.appendCodePoint(source.next());
            }
            if (read.length() != digits) {
                throw malformed.get();
            }
            text = read.toString();
        }
        if (!text.chars().allMatch(digit -> digit < 0x80 && Character.digit(digit, 16) >= 0)
                || text.isEmpty()
                || text.length() > 8) {
            throw malformed.get();
        }
        long value = Long.parseLong(text, 16);
        if (value > Character.MAX_CODE_POINT) {
            throw malformed.get();
        }
        return (int) value;
    }

    private Characters property(int start) {
        String name;
        if (source.take("{")) {
            name = source.until('}', "A property without }");
        } else if (PatternSource.isLetter(source.peek())) {
            name = Character.toString(source.next());
        } else {
            throw new UnsupportedPatternException("A property without a name", start);
        }
        return UnicodeProperties.find(name)
                .orElseThrow(() -> new UnsupportedPatternException("The character property of \\p", start));
    }
}
