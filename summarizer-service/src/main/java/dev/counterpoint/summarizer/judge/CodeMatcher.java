package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Codes to find in squeezed text: as they are, backwards, and turned by thirteen letters. Only grows.
final class CodeMatcher {
    /// Shorter codes would be found across the borders of everyday words.
    private static final int LENGTH_MIN = 5;

    private final Map<String, List<String>> byBeginning = new HashMap<>();

    void add(String code) {
        if (code.length() >= LENGTH_MIN) {
            put(code);
            put(new StringBuilder(code).reverse().toString());
            put(turned(code));
        }
    }

    private void put(String code) {
        var same = byBeginning.computeIfAbsent(code.substring(0, LENGTH_MIN), _ -> new ArrayList<>(1));
        if (!same.contains(code)) {
            same.add(code);
        }
    }

    private static String turned(String code) {
        var turned = new StringBuilder(code.length());
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            turned.append(c >= 'a' && c <= 'z' ? (char) ('a' + (c - 'a' + 13) % 26) : c);
        }
        return turned.toString();
    }

    boolean occurIn(String squeezed) {
        for (int i = 0; i + LENGTH_MIN <= squeezed.length(); i++) {
            for (var code : byBeginning.getOrDefault(squeezed.substring(i, i + LENGTH_MIN), List.of())) {
                if (squeezed.startsWith(code, i)) {
                    return true;
                }
            }
        }
        return false;
    }
}
