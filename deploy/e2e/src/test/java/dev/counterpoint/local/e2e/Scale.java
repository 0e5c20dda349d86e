package dev.counterpoint.local.e2e;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/// How many of the cases a build runs: `-Dscale=1`, which is the default, takes a slice; each night takes all.
public final class Scale {
    private static final boolean ALL = Integer.getInteger("scale", 1) > 1;

    private Scale() {}

    /// The first case in a build, which shows that the path is wired; all of them each night.
    static <T> Stream<T> slice(Stream<T> cases) {
        return ALL ? cases : cases.limit(1);
    }

    /// One case in a build, another each day; all of them each night.
    public static <T> List<T> today(List<T> cases) {
        long day = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        return ALL ? cases : List.of(cases.get((int) (day % cases.size())));
    }
}
