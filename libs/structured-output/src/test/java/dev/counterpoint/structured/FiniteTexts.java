package dev.counterpoint.structured;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/// Some texts, and what may continue the start of one.
final class FiniteTexts {
    private final byte[][] sorted;

    FiniteTexts(Collection<String> texts) {
        sorted = texts.stream()
                .distinct()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .sorted(Arrays::compareUnsigned)
                .toArray(byte[][]::new);
    }

    int size() {
        return sorted.length;
    }

    byte[] get(int number) {
        return sorted[number];
    }

    boolean contains(byte[] text) {
        return Arrays.binarySearch(sorted, text, Arrays::compareUnsigned) >= 0;
    }

    /// Whether a text starts so.
    boolean hasPrefix(byte[] prefix) {
        int at = Arrays.binarySearch(sorted, prefix, Arrays::compareUnsigned);
        int from = at >= 0 ? at : -at - 1;
        return from < sorted.length
                && sorted[from].length >= prefix.length
                && Arrays.equals(sorted[from], 0, prefix.length, prefix, 0, prefix.length);
    }

    static byte[] joined(byte[] first, byte[] then) {
        var both = Arrays.copyOf(first, first.length + then.length);
        System.arraycopy(then, 0, both, first.length, then.length);
        return both;
    }
}
