package dev.counterpoint.harmony.tokenizer;

import static dev.counterpoint.harmony.tokenizer.CharacterClasses.LETTER;
import static dev.counterpoint.harmony.tokenizer.CharacterClasses.LINE_END;
import static dev.counterpoint.harmony.tokenizer.CharacterClasses.LOWER;
import static dev.counterpoint.harmony.tokenizer.CharacterClasses.NUMBER;
import static dev.counterpoint.harmony.tokenizer.CharacterClasses.SPACE;
import static dev.counterpoint.harmony.tokenizer.CharacterClasses.UPPER;

/// Cuts UTF-8 text into the pieces that are tokenised one by one: o200k's pre-tokenizer expression, by hand.
///
/// The expression's alternatives, in order: a word (optional leading sign, upper case, then lower case, then an English
/// contraction), an upper-case word, up to three digits, signs with an optional leading blank and trailing line ends,
/// blanks up to a line end, blanks before a blank, blanks.
final class PieceSplitter {
    private static final int NO_MATCH = -1;

    private final byte[] text;
    private final int end;
    /// Set by {@link #classAt}: how many bytes the code point has.
    private int width;

    /// The text must be valid UTF-8.
    PieceSplitter(byte[] text) {
        this.text = text;
        this.end = text.length;
    }

    /// The end of the piece that begins at `from`, which is before the end of the text.
    int next(int from) {
        int word = asciiWord(from);
        return word != NO_MATCH ? word : anyPiece(from);
    }

    /// Most pieces by far: a word in ASCII with at most one capital, at its start. Eight letters at a time.
    private int asciiWord(int from) {
        int letter = text[from];
        int at = from + 1;
        if (letter < 0 || (CharacterClasses.of(letter) & (NUMBER | LINE_END)) != 0) {
            return NO_MATCH;
        }
        if ((CharacterClasses.of(letter) & LETTER) == 0) {
            if (at == end) {
                return NO_MATCH;
            }
            letter = text[at++];
            if (letter < 0 || (CharacterClasses.of(letter) & LETTER) == 0) {
                return NO_MATCH;
            }
        }
        int letters = at;
        int more;
        do {
            more = PackedBytes.lowerCaseLetters(PackedBytes.at(text, at));
            at += more;
        } while (more == Long.BYTES);
        if (at == end) {
            return at;
        }
        int after = text[at];
        boolean upperCase = at == letters && letter <= 'Z';
        if (after < 0 || upperCase && (CharacterClasses.of(after) & LETTER) != 0) {
            return NO_MATCH;
        }
        return after == '\'' ? contraction(at) : at;
    }

    private int anyPiece(int from) {
        int first = classAt(from);
        int second = from + width;
        boolean leads = (first & (LETTER | NUMBER | LINE_END)) == 0 && second < end;
        int word = NO_MATCH;
        if (leads) {
            word = mixedWord(second);
        }
        if (word == NO_MATCH && (first & (UPPER | LOWER)) != 0) {
            word = mixedWord(from);
        }
        if (word == NO_MATCH && leads) {
            word = run(second, UPPER);
        }
        if (word == NO_MATCH && (first & UPPER) != 0) {
            word = run(from, UPPER);
        }
        if (word != NO_MATCH) {
            return contraction(word);
        }
        if ((first & NUMBER) != 0) {
            return digits(second);
        }
        int signs = signs(text[from] == ' ' ? from + 1 : from);
        return signs != NO_MATCH ? signs : blanks(from);
    }

    /// Upper* Lower+. Letters without case are both, so the upper part may have to give some back.
    private int mixedWord(int from) {
        int at = from;
        int lastLower = NO_MATCH;
        while (at < end) {
            int c = classAt(at);
            if ((c & UPPER) == 0) {
                break;
            }
            at += width;
            if ((c & LOWER) != 0) {
                lastLower = at;
            }
        }
        int lower = run(at, LOWER);
        return lower != NO_MATCH ? lower : lastLower;
    }

    private int run(int from, int wanted) {
        int at = from;
        while (at < end && (classAt(at) & wanted) != 0) {
            at += width;
        }
        return at > from ? at : NO_MATCH;
    }

    private int contraction(int from) {
        if (from + 1 >= end || text[from] != '\'') {
            return from;
        }
        int first = text[from + 1] | 0x20;
        if (first == 's' || first == 't' || first == 'm' || first == 'd') {
            return from + 2;
        }
        if (from + 2 >= end) {
            return from;
        }
        int second = text[from + 2] | 0x20;
        boolean two = first == 'r' && second == 'e' || first == 'v' && second == 'e' || first == 'l' && second == 'l';
        // U+017F, the long s, folds to s.
        boolean longS = text[from + 1] == (byte) 0xC5 && text[from + 2] == (byte) 0xBF;
        return two || longS ? from + 3 : from;
    }

    private int digits(int second) {
        int at = second;
        for (int more = 0; more < 2 && at < end && (classAt(at) & NUMBER) != 0; more++) {
            at += width;
        }
        return at;
    }

    private int signs(int from) {
        int at = from;
        while (at < end && (classAt(at) & (SPACE | LETTER | NUMBER)) == 0) {
            at += width;
        }
        if (at == from) {
            return NO_MATCH;
        }
        while (at < end && (text[at] == '\r' || text[at] == '\n' || text[at] == '/')) {
            at++;
        }
        return at;
    }

    private int blanks(int from) {
        int at = from;
        int last = from;
        int afterLineEnd = NO_MATCH;
        while (at < end) {
            int c = classAt(at);
            if ((c & SPACE) == 0) {
                break;
            }
            last = at;
            at += width;
            if ((c & LINE_END) != 0) {
                afterLineEnd = at;
            }
        }
        if (afterLineEnd != NO_MATCH) {
            return afterLineEnd;
        }
        // The last blank before a word belongs to the word.
        return at < end && last > from ? last : at;
    }

    private int classAt(int at) {
        int lead = text[at];
        if (lead >= 0) {
            width = 1;
            return CharacterClasses.of(lead);
        }
        int second = text[at + 1] & 0x3F;
        if ((lead & 0xFF) < 0xE0) {
            width = 2;
            return CharacterClasses.of((lead & 0x1F) << 6 | second);
        }
        int third = text[at + 2] & 0x3F;
        if ((lead & 0xFF) < 0xF0) {
            width = 3;
            return CharacterClasses.of((lead & 0x0F) << 12 | second << 6 | third);
        }
        width = 4;
        return CharacterClasses.of((lead & 0x07) << 18 | second << 12 | third << 6 | text[at + 3] & 0x3F);
    }
}
