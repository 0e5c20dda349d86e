package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.Characters;
import dev.counterpoint.structured.text.Spelling;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/// Text that stands in a JSON string as it is: most tokens are nothing else, and what a pattern searches for may
/// mostly come later.
final class PlainText {
    private static final int FIRST_AFTER_CONTROLS = ' ';
    private static final int DELETE = 0x7f;
    private static final int STATES_MAX = 200;
    private static final int BYTES = 256;

    /// One character that needs no escape.
    static final Regex CHARACTER = character();

    private PlainText() {}

    /// A terminal's state and what is left of a character.
    private record Place(Regex state, Regex left) {}

    private static Regex character() {
        var all = Characters.range(FIRST_AFTER_CONTROLS, Character.MAX_CODE_POINT);
        var plain = all.and(Characters.of('"', '\\', DELETE).complement());
        return TextPattern.of(plain).toRegex(new RegexPool(), Spelling.PLAIN);
    }

    /// True if any plain text may come in a state without an end of the terminal in it; false too where that takes
    /// long to find out.
    static boolean mayGoOn(Regex start) {
        Set<Place> seen = new HashSet<>();
        var toDo = new ArrayDeque<Place>();
        toDo.add(new Place(start, CHARACTER));
        while (!toDo.isEmpty()) {
            var place = toDo.remove();
            for (int value = 0; value < BYTES; value++) {
                var left = place.left.step(value);
                if (left == null) {
                    continue;
                }
                var state = place.state.step(value);
                if (state == null || state.nullable()) {
                    return false;
                }
                var next = new Place(state, left.nullable() ? CHARACTER : left);
                if (seen.add(next)) {
                    toDo.add(next);
                }
            }
            WorkLimit.spend(1);
            if (seen.size() > STATES_MAX) {
                return false;
            }
        }
        return true;
    }
}
