package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Bounds how much of the spelling of each confidential text has been shown: the share of its four-letter runs. Not
/// thread-safe.
final class Resemblance {
    private static final double SHARE_MAX = 0.27;
    private static final int LENGTH = 4;
    /// A part shares a few with any text.
    private static final int SHARED_MIN = 12;

    private final List<Set<Long>> unseen = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();

    void add(String text) {
        var runs = runs(text);
        sizes.add(runs.size());
        unseen.add(runs);
    }

    boolean admits(String part) {
        var runs = runs(part);
        for (int i = 0; i < sizes.size(); i++) {
            var left = unseen.get(i);
            long found = runs.stream().filter(left::contains).count();
            long all = sizes.get(i) - left.size() + found;
            if (found > 0 && all >= SHARED_MIN && all > SHARE_MAX * sizes.get(i)) {
                return false;
            }
        }
        return true;
    }

    void show(String part) {
        var runs = runs(part);
        unseen.forEach(left -> left.removeAll(runs));
    }

    private static Set<Long> runs(String text) {
        var plain = text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        var runs = new HashSet<Long>();
        long run = 0;
        for (int i = 0; i < plain.length(); i++) {
            run = run << 16 | plain.charAt(i);
            if (i >= LENGTH - 1) {
                runs.add(run);
            }
        }
        return runs;
    }
}
