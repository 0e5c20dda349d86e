package dev.counterpoint.structured.export;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where the characters and the special tokens lead from a state, for notations that know no bytes.
///
/// @param characters ranges of code points by the state that they lead to
/// @param specials numbers of special tokens by the state that they lead to
record CodePointSteps(Map<Regex, List<Range>> characters, Map<Regex, List<Integer>> specials) {
    private static final int ASCII_MAX = 0x7f;
    private static final int CONTINUATION_MIN = 0x80;
    private static final int CONTINUATION_MAX = 0xbf;
    private static final int CONTINUATION_BITS = 6;
    private static final int LEAD_MIN = 0xc2;
    private static final int LEAD_MAX = 0xf4;
    private static final int THREE_BYTES = 0xe0;
    private static final int FOUR_BYTES = 0xf0;

    /// Code points from one to another, both included.
    record Range(int from, int to) {}

    /// @throws UnwritableException when the state is within a character, or an expression ends there
    static CodePointSteps of(Regex state) {
        var steps = new CodePointSteps(new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int value = 0; value <= ASCII_MAX; value++) {
            steps.add(state.step(value), value, value);
        }
        for (int value = CONTINUATION_MIN; value <= CONTINUATION_MAX; value++) {
            if (state.step(value) != null && !free(state)) {
                throw new UnwritableException("a state within a character");
            }
        }
        for (int lead = LEAD_MIN; lead <= LEAD_MAX; lead++) {
            var next = state.step(lead);
            if (next != null) {
                int more = lead < THREE_BYTES ? 1 : lead < FOUR_BYTES ? 2 : 3;
                steps.expand(next, lead & (0x3f >> more), more);
            }
        }
        steps.addSpecials(state.step(TokenVocabulary.SPECIAL));
        return steps;
    }

    /// True if every byte of text leads back to the state: any text may follow.
    static boolean free(Regex state) {
        for (int value = 0; value < TokenVocabulary.SPECIAL; value++) {
            if (state.step(value) != state) {
                return false;
            }
        }
        return true;
    }

    private void expand(Regex state, int prefix, int more) {
        if (state.nullable()) {
            throw new UnwritableException("an expression ends within a character");
        }
        var whole = single(state, more);
        if (whole != null) {
            int bits = CONTINUATION_BITS * more;
            add(whole, prefix << bits, (prefix << bits) + (1 << bits) - 1);
            return;
        }
        for (int value = CONTINUATION_MIN; value <= CONTINUATION_MAX; value++) {
            var next = state.step(value);
            int code = prefix << CONTINUATION_BITS | value & 0x3f;
            if (next != null && more == 1) {
                add(next, code, code);
            } else if (next != null) {
                expand(next, code, more - 1);
            }
        }
    }

    /// The one state that all characters lead to which begin so, or null.
    private static @Nullable Regex single(Regex state, int more) {
        var first = state.step(CONTINUATION_MIN);
        for (int value = CONTINUATION_MIN + 1; value <= CONTINUATION_MAX; value++) {
            if (state.step(value) != first) {
                return null;
            }
        }
        return first == null || more == 1 ? first : single(first, more - 1);
    }

    private void add(@Nullable Regex target, int from, int to) {
        if (target == null) {
            return;
        }
        var ranges = characters.computeIfAbsent(target, _ -> new ArrayList<>());
        if (!ranges.isEmpty() && ranges.getLast().to + 1 == from) {
            ranges.set(ranges.size() - 1, new Range(ranges.getLast().from, to));
        } else {
            ranges.add(new Range(from, to));
        }
    }

    private void addSpecials(@Nullable Regex state) {
        if (state == null) {
            return;
        }
        for (int high = 0; high < 256; high++) {
            var middle = state.step(high);
            for (int low = 0; middle != null && low < 256; low++) {
                var target = middle.step(low);
                if (target != null) {
                    specials.computeIfAbsent(target, _ -> new ArrayList<>()).add(high << 8 | low);
                }
            }
        }
    }

    /// The one character that leads on, and to where, or null when there is a choice.
    Map.@Nullable Entry<Integer, Regex> onlyOne() {
        if (!specials.isEmpty() || characters.size() != 1) {
            return null;
        }
        var entry = characters.entrySet().iterator().next();
        var range = Objects.requireNonNull(entry.getValue()).getFirst();
        boolean one = entry.getValue().size() == 1 && range.from == range.to;
        return one ? Map.entry(range.from, entry.getKey()) : null;
    }
}
