package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.split.Mark.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The marks that are looked for, by their first characters. Not changed any more once it is made.
final class MarkTable {
    private static final int SMALL_CHARACTERS = 128;

    /// @param second the second character of the spelling that is no blank
    record Entry(MarkSpelling spelling, char second, Kind kind, MarkPair pair) {}

    private final Map<Character, List<Entry>> entries = new HashMap<>();
    private final boolean[] begins = new boolean[SMALL_CHARACTERS];

    MarkTable(TextRule rule) {
        for (var pair : rule.reasoning()) {
            add(Kind.OPEN, pair, pair.open());
            add(Kind.CLOSE, pair, pair.close());
        }
        for (var pair : rule.answer()) {
            add(Kind.ANSWER_OPEN, pair, pair.open());
            add(Kind.ANSWER_CLOSE, pair, pair.close());
        }
    }

    private void add(Kind kind, MarkPair pair, String mark) {
        var spelling = new MarkSpelling(mark);
        char first = spelling.first();
        if (first < SMALL_CHARACTERS) {
            begins[first] = true;
        }
        entries.computeIfAbsent(first, _ -> new ArrayList<>()).add(new Entry(spelling, spelling.second(), kind, pair));
    }

    /// @param c a small letter, or none
    boolean begins(char c) {
        return c < SMALL_CHARACTERS ? begins[c] : entries.containsKey(c);
    }

    /// @param c a small letter, or none
    List<Entry> beginningWith(char c) {
        return entries.getOrDefault(c, List.of());
    }
}
