package dev.counterpoint.local.e2e;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/// How often the long tests repeat themselves: a slice of each kind in every build, all of it under `-Pendurance`.
public final class Endurance {
    private static final boolean FULL = Boolean.getBoolean("endurance");

    private Endurance() {}

    /// @param property sets the number by hand, as in `-Dkills=20`
    static int times(String property, int slice, int full) {
        return Integer.getInteger(property, FULL ? full : slice);
    }

    /// One of them in a build, another each day; all of them under `-Pendurance`.
    public static <T> List<T> today(List<T> all) {
        long day = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        return FULL ? all : List.of(all.get((int) (day % all.size())));
    }
}
