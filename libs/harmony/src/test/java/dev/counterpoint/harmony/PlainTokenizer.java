package dev.counterpoint.harmony;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The tokenizer as its definition reads: the expression run as such, pairs merged one by one. Slow, and meant to be
/// obviously right.
final class PlainTokenizer {
    private static final Pattern PIECE = Pattern.compile(
            String.join(
                    "|",
                    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
                            + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*"
                            + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                    "\\p{N}{1,3}",
                    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*",
                    "\\s*[\\r\\n]+",
                    "\\s+(?!\\S)",
                    "\\s+"),
            Pattern.UNICODE_CHARACTER_CLASS);

    private final Map<String, Integer> ranks = new HashMap<>();

    PlainTokenizer(HarmonyTokenizer tokenizer) {
        for (int id = 0; id < SpecialTokens.FIRST; id++) {
            ranks.put(new String(tokenizer.bytes(id), StandardCharsets.ISO_8859_1), id);
        }
    }

    int[] encode(String text) {
        var tokens = new ArrayList<Integer>();
        Matcher pieces = PIECE.matcher(text.replaceAll("\\p{Cs}", "\uFFFD"));
        while (pieces.find()) {
            tokens.addAll(merge(pieces.group().getBytes(StandardCharsets.UTF_8)));
        }
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }

    int rank(byte[] token) {
        return ranks.getOrDefault(new String(token, StandardCharsets.ISO_8859_1), Vocabulary.NONE);
    }

    List<Integer> merge(byte[] piece) {
        // One character per byte.
        var text = new String(piece, StandardCharsets.ISO_8859_1);
        Integer whole = ranks.get(text);
        if (whole != null) {
            return List.of(whole);
        }
        var parts = new ArrayList<>(text.chars().mapToObj(Character::toString).toList());
        while (true) {
            int lowest = Integer.MAX_VALUE;
            int at = -1;
            for (int i = 0; i + 1 < parts.size(); i++) {
                int rank = ranks.getOrDefault(parts.get(i) + parts.get(i + 1), Integer.MAX_VALUE);
                if (rank < lowest) {
                    lowest = rank;
                    at = i;
                }
            }
            if (at < 0) {
                return parts.stream().map(ranks::get).toList();
            }
            parts.set(at, parts.get(at) + parts.remove(at + 1));
        }
    }
}
