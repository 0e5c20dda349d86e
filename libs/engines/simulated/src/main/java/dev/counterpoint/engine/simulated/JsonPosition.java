package dev.counterpoint.engine.simulated;

import java.util.ArrayList;
import java.util.List;

/// Where in a JSON text its writer is. Reads the text character by character, so each costs the same however long the
/// text is.
final class JsonPosition {
    private static final int KEPT_MAX = 200;

    /// What comes next outside of strings.
    enum Expects {
        KEY,
        COLON,
        VALUE,
        SEPARATOR
    }

    /// An object or array that is open.
    static final class Level {
        final boolean object;
        /// The first member of an object.
        String firstKey = "";
        /// The member of the object that was named last.
        String key = "";
        /// The elements of the array before the one that is written or comes next.
        int index;
        /// So many elements the writer wants in the array; -1 while that is open.
        int wanted = -1;

        Level(boolean object) {
            this.object = object;
        }
    }

    private final List<Level> levels = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Expects expects = Expects.VALUE;
    private boolean inString;
    private boolean inNumber;
    private boolean escaped;
    private boolean begun;

    /// Takes the next character.
    void read(char next) {
        begun = true;
        if (inString) {
            readString(next);
            return;
        }
        inNumber = Character.isDigit(next) || "+-.eE".indexOf(next) >= 0 && (inNumber || next == '-');
        switch (next) {
            case '"' -> {
                inString = true;
                text.setLength(0);
            }
            case '{', '[' -> {
                levels.add(new Level(next == '{'));
                expects = next == '{' ? Expects.KEY : Expects.VALUE;
            }
            case '}', ']' -> {
                if (!levels.isEmpty()) {
                    levels.removeLast();
                }
                expects = Expects.SEPARATOR;
            }
            case ':' -> expects = Expects.VALUE;
            case ',' -> {
                boolean inObject = !levels.isEmpty() && levels.getLast().object;
                if (!levels.isEmpty()) {
                    levels.getLast().index++;
                }
                expects = inObject ? Expects.KEY : Expects.VALUE;
            }
            case ' ', '\n', '\r', '\t' -> {}
            default -> expects = Expects.SEPARATOR;
        }
    }

    private void readString(char next) {
        if (next != '"' || escaped) {
            escaped = next == '\\' && !escaped;
            if (text.length() < KEPT_MAX) {
                text.append(next);
            }
            return;
        }
        inString = false;
        if (expects == Expects.KEY && !levels.isEmpty()) {
            var level = levels.getLast();
            level.key = text.toString();
            level.firstKey = level.firstKey.isEmpty() ? level.key : level.firstKey;
            expects = Expects.COLON;
        } else {
            expects = Expects.SEPARATOR;
        }
    }

    Expects expects() {
        return expects;
    }

    /// Whether anything was written.
    boolean begun() {
        return begun;
    }

    boolean inString() {
        return inString;
    }

    /// Whether more digits would belong to the number before.
    boolean inNumber() {
        return inNumber;
    }

    /// The string that is open, up to a bound.
    CharSequence text() {
        return text;
    }

    List<Level> levels() {
        return levels;
    }

    boolean inArray() {
        return !levels.isEmpty() && !levels.getLast().object;
    }

    /// The name of the member whose value this is, or is part of, as its array's element.
    String key() {
        for (var level : levels.reversed()) {
            if (level.object) {
                return level.key;
            }
        }
        return "";
    }
}
