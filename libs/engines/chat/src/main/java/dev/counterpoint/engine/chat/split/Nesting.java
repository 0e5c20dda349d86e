package dev.counterpoint.engine.chat.split;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The opening marks within reasoning that are not closed. Not thread-safe.
final class Nesting {
    /// Of other pairs, by their closing marks.
    private final Map<String, Integer> others = new HashMap<>();
    /// Of the same pair, meant as such.
    private int meant;
    /// Spoken about.
    private int mentioned;
    /// It may be that none was meant.
    private boolean doubtful;
    /// In the middle of a sentence: perhaps spoken about.
    private int unsure;
    /// In code.
    private int quoted;

    void meant() {
        meant++;
    }

    void mentioned() {
        mentioned++;
        doubtful = true;
    }

    /// The first one where the template may have opened the reasoning: one of both did.
    void late() {
        doubtful = true;
    }

    void unsure() {
        unsure++;
    }

    void quoted() {
        quoted++;
    }

    void other(Mark mark) {
        others.merge(key(mark), 1, Integer::sum);
    }

    /// @return whether the closing mark of another pair closes one of them
    boolean closesOther(Mark mark) {
        int open = others.getOrDefault(key(mark), 0);
        if (open > 0) {
            others.put(key(mark), open - 1);
        }
        return open > 0;
    }

    /// @return whether the closing mark belongs to one that is only spoken about
    boolean closesSpoken(Grade grade, Before before, Ahead ahead) {
        if (before.code() && quoted > 0) {
            quoted--;
            return true;
        }
        if (grade == Grade.LOOSE && mentioned > 0 && Grade.isMentioned(before, ahead)) {
            mentioned--;
            return true;
        }
        if (grade != Grade.STRONG && unsure > 0) {
            unsure--;
            return true;
        }
        return false;
    }

    /// @return whether the closing mark closes one that was meant
    boolean closesMeant() {
        boolean closes = meant > 0;
        meant -= closes ? 1 : 0;
        return closes;
    }

    boolean isUnsure() {
        return unsure > 0 || doubtful;
    }

    void clear() {
        others.clear();
        meant = 0;
        doubtful = false;
        mentioned = 0;
        unsure = 0;
        quoted = 0;
    }

    private static String key(Mark mark) {
        return mark.pair().close().toLowerCase(Locale.ROOT);
    }
}
