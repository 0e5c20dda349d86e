package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.render.ReferenceCodec;
import java.util.BitSet;

/// Text as Rust prints it for debugging: in quotes, characters that cannot be seen alone by their number.
final class RustDebug {
    /// Letters that extend the one before them; all other characters that do so are marks or unassigned.
    private static final BitSet EXTENDING = codePoints("""
            9be 9d7 b3e b57 bbe bd7 cc0 cc2 cc7-cc8 cca-ccb cd5-cd6 d3e d57 dcf ddf 1715 1734 1b35 1b3b 1b3d \
            1b43-1b44 1baa 1bf2-1bf3 302e-302f a953 a9c0 ff9e-ff9f 111c0 11235 1133e 1134d 11357 113b8 113c2 113c5 \
            113c7-113c9 113cf 114b0 114bd 115af 116b6 11930 1193d 11f41 16ff0-16ff1 1d165-1d166 1d16d-1d172""");

    /// What Unicode 17 added to 16, which this JDK and openai/harmony 0.0.8 know.
    private static final BitSet YOUNGER = codePoints("""
            88f c5c cdc 20c1 2b96 a7ce-a7cf a7d2 a7d4 a7f1 fbc3-fbd2 fd90-fd91 fdc8-fdce 10940-10959 10ec5-10ec7 \
            10ed0-10ed8 11b61 11b65 11b67 11db0-11ddb 11de0-11de9 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff \
            18d09-18d1e 18d80-18df2 1ccfa-1ccfc 1ceba-1ced0 1cee0-1cef0 1e6c0-1e6de 1e6e0-1e6e2 1e6e4-1e6e5 \
            1e6e7-1e6ed 1e6f0-1e6f4 1e6fe-1e6ff 1f6d8 1f777-1f77a 1f8d0-1f8d8 1fa54-1fa57 1fa8a 1fa8e 1fac8 1facd \
            1faea 1faef 1fbfa 2b73a-2b73f 2cea2-2cead 323b0-33479""");

    private final ReferenceCodec reference;
    private final StringBuilder out = new StringBuilder();

    private RustDebug(ReferenceCodec reference) {
        this.reference = reference;
    }

    static String of(String text, ReferenceCodec reference) {
        var debug = new RustDebug(reference);
        text.codePoints().forEach(debug::append);
        return '"' + debug.out.toString() + '"';
    }

    private void append(int c) {
        switch (c) {
            case 0 -> out.append("\\0");
            case '\t' -> out.append("\\t");
            case '\r' -> out.append("\\r");
            case '\n' -> out.append("\\n");
            case '"', '\\' -> out.append('\\').append((char) c);
            default -> {
                if (isShown(c)) {
                    out.appendCodePoint(c);
                } else {
                    out.append("\\u{").append(Integer.toHexString(c)).append('}');
                }
            }
        }
    }

    private boolean isShown(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            case Character.UNASSIGNED -> reference == ReferenceCodec.OSS_0_0_11 && YOUNGER.get(c);
            default -> !EXTENDING.get(c);
        };
    }

    /// Hexadecimal numbers and ranges of them.
    private static BitSet codePoints(String ranges) {
        var set = new BitSet();
        for (String range : ranges.split(" ")) {
            var ends = range.split("-");
            set.set(Integer.parseInt(ends[0], 16), Integer.parseInt(ends[ends.length - 1], 16) + 1);
        }
        return set;
    }
}
