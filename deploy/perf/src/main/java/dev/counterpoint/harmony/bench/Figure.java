package dev.counterpoint.harmony.bench;

/// How long one pass of a benchmark took.
///
/// @param name the benchmark and its text: `encode prose`
/// @param first seconds of a pass over text that the instance has not seen; equal to `best` where nothing is remembered
/// @param best seconds of the fastest pass
/// @param bytes of text per pass; 0 where that says nothing
/// @param tokens per pass
record Figure(String name, double first, double best, long bytes, long tokens) {
    /// A peer's line: `encode TAB prose TAB first TAB best TAB bytes TAB tokens`.
    static Figure parse(String line) {
        var fields = line.split("\t");
        return new Figure(
                fields[0] + " " + fields[1],
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }
}
