package dev.counterpoint.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a prompt tells the stand-in to do. A script is part of the user's message: entries that begin a line with
/// `think:`, `call:` or `say:`, each up to the next one.
/// Each `call:` ends a turn. The turn after its result has the thoughts and the action behind it. A turn without
/// `think:` has the thoughts of [Echo], one whose `think:` is blank has none.
record Script(List<Entry> entries) {
    private static final Pattern KEYWORD = Pattern.compile("(?m)^(think|call|say): ?");

    enum Kind {
        THINK,
        CALL,
        SAY
    }

    record Entry(Kind kind, String text) {}

    /// @param action a call or an answer, or null where the script ends before it
    record Turn(List<String> thoughts, @Nullable Entry action) {}

    static Script of(String message) {
        var entries = new ArrayList<Entry>();
        var keyword = KEYWORD.matcher(message);
        boolean more = keyword.find();
        while (more) {
            var kind = Kind.valueOf(keyword.group(1).toUpperCase(Locale.ROOT));
            int begin = keyword.end();
            more = keyword.find();
            int end = more ? keyword.start() : message.length();
            entries.add(new Entry(kind, message.substring(begin, end).strip()));
        }
        return new Script(entries);
    }

    /// The turn after so many calls.
    Turn turn(int calls) {
        var thoughts = new ArrayList<String>();
        var said = new ArrayList<String>();
        int seen = 0;
        for (var entry : entries) {
            switch (entry.kind) {
                case THINK -> thoughts.add(entry.text);
                case SAY -> said.add(entry.text);
                case CALL -> {
                    if (seen == calls) {
                        return new Turn(thoughts, entry);
                    }
                    seen++;
                    thoughts.clear();
                }
            }
        }
        return new Turn(thoughts, said.isEmpty() ? null : new Entry(Kind.SAY, String.join("\n", said)));
    }
}
