package dev.counterpoint.local.e2e;

/// How often the long tests repeat themselves: a slice of each kind in every build, all of it under `-Pendurance`.
final class Endurance {
    private static final boolean FULL = Boolean.getBoolean("endurance");

    private Endurance() {}

    /// @param property sets the number by hand, as in `-Dkills=20`
    static int times(String property, int slice, int full) {
        return Integer.getInteger(property, FULL ? full : slice);
    }
}
