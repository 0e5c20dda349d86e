package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A place in a text: the terminals that are being read, and the row that was just reached, if any. All readings of
/// an ambiguous text are followed side by side. Immutable but for what it remembers; thread-safe.
final class ParseState {
    /// With more threads than this, a state remembers where each byte leads.
    private static final int FEW_THREADS = 3;

    private static final Thread[] NO_THREADS = {};

    /// One terminal that is being read.
    ///
    /// @param state what must still come of it
    record Thread(Terminal terminal, Regex state) {}

    private final @Nullable Row row;
    private final Thread[] threads;
    private final boolean wide;
    private @Nullable Next @Nullable [] memory;

    /// Where a byte leads: null is remembered too.
    private record Next(@Nullable ParseState state) {}

    private ParseState(@Nullable Row row, Thread[] threads) {
        this.row = row;
        this.threads = threads;
        int width = threads.length + (row == null ? 0 : row.terminals().size());
        wide = width > FEW_THREADS;
    }

    static ParseState start(Row row) {
        return new ParseState(row, NO_THREADS);
    }

    @Nullable
    Row row() {
        return row;
    }

    Thread[] threads() {
        return threads;
    }

    boolean accepting() {
        return row != null && row.accepting();
    }

    /// True if no byte may follow.
    boolean ended() {
        return threads.length == 0 && (row == null || row.terminals().isEmpty());
    }

    /// The place after one more byte, or null when it must not come.
    @Nullable
    ParseState step(int value, RowTable rows) {
        if (!wide) {
            return find(value, rows);
        }
        // Racing threads find the same, so either may stay.
        var remembered = memory;
        var known = remembered == null ? null : remembered[value];
        if (known == null) {
            known = new Next(find(value, rows));
            if (rows.mayRemember()) {
                remembered = remembered == null ? new Next[256] : remembered;
                remembered[value] = known;
                memory = remembered;
            }
        }
        return known.state;
    }

    private @Nullable ParseState find(int value, RowTable rows) {
        var found = new Search();
        for (var thread : threads) {
            found.add(thread.terminal, thread.state.step(value));
        }
        if (row != null) {
            for (var terminal : row.terminals()) {
                found.add(terminal, terminal.regex().step(value));
            }
        }
        return found.result(rows);
    }

    private static final class Search {
        private final List<Thread> going = new ArrayList<>(2);
        private @Nullable List<Item> ended;
        private boolean several;

        void add(Terminal terminal, @Nullable Regex state) {
            if (state == null) {
                return;
            }
            if (state.nullable()) {
                end(terminal);
            }
            if (!state.transitions().isFinal()) {
                going.add(new Thread(terminal, state));
            }
        }

        private void end(Terminal terminal) {
            if (ended == null) {
                ended = terminal.after();
            } else {
                if (!several) {
                    ended = new ArrayList<>(ended);
                    several = true;
                }
                ended.addAll(terminal.after());
            }
        }

        @Nullable
        ParseState result(RowTable rows) {
            if (ended == null) {
                return going.isEmpty() ? null : made(null);
            }
            var start = rows.after(ended);
            return going.isEmpty() ? start : made(start.row);
        }

        private ParseState made(@Nullable Row row) {
            WorkLimit.spend(1);
            return new ParseState(row, going.toArray(Thread[]::new));
        }
    }
}
