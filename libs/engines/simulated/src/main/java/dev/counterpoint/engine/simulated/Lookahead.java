package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// What a mask would take from here on. Trying changes nothing.
///
/// @param allowed the tokens that may come next, bans included
record Lookahead(TokenMask mask, IntPredicate allowed) {
    /// Masks that are looked at to list texts.
    private static final int MASKS_MAX = 128;
    /// More tokens at one place than a short list of texts has.
    private static final int TOKENS_MAX = 300;

    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final int[] LETTERS = "abcdefghijklmnopqrstuvwxyz"
            .chars()
            .map(letter -> TOKENIZER.encode(Character.toString(letter))[0])
            .toArray();
    private static final List<String> AFTER_NUMBERS =
            List.of(",", "}", "]", " ", "\n", String.valueOf(HarmonyMarkup.RETURN), String.valueOf(HarmonyMarkup.CALL));

    private record Place(TokenMask mask, String text) {}

    /// Whether all of this marked text may come; of a mask that does not walk ahead only the first token is known.
    boolean takes(String text) {
        int[] ids = HarmonyMarkup.encode(text);
        if (ids.length == 0 || !allowed.test(ids[0])) {
            return false;
        }
        var ahead = mask.ahead();
        return ahead == null || follows(ahead, ids);
    }

    /// Whether the number may come, and may end there.
    boolean takesNumber(String digits) {
        return AFTER_NUMBERS.stream().anyMatch(next -> takes(digits + next));
    }

    private static boolean follows(TokenMask from, int[] ids) {
        try {
            for (int id : ids) {
                from.accept(id);
            }
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// The tokens that may come behind a text; null where that is not known, or where all may.
    private @Nullable TokenMask after(String text) {
        int[] ids = HarmonyMarkup.encode(text);
        if (ids.length > 0 && !allowed.test(ids[0])) {
            return null;
        }
        var ahead = mask.ahead();
        return ahead != null && follows(ahead, ids) && ahead.allowed() != null ? ahead : null;
    }

    /// Whether any word may come behind this text, as far as one can know.
    boolean isFreeAfter(String text) {
        var after = after(text);
        if (after == null) {
            return text.isEmpty() || takes(text);
        }
        for (int letter : LETTERS) {
            if (!TokenMask.allows(after.allowed(), letter)) {
                return false;
            }
        }
        return true;
    }

    /// The texts that may stand between this opening and the next quotation mark, as JSON spells them; none where there
    /// are too many.
    List<String> closed(String opening) {
        var found = new ArrayList<String>();
        var places = new ArrayDeque<Place>();
        var start = after(opening);
        if (start != null) {
            places.add(new Place(start, ""));
        }
        for (int masks = 0; !places.isEmpty(); masks++) {
            var place = places.poll();
            long[] allowedThere = place.mask.allowed();
            var set = allowedThere == null ? null : BitSet.valueOf(allowedThere);
            if (masks == MASKS_MAX || set == null || set.cardinality() > TOKENS_MAX) {
                return List.of();
            }
            for (var next : shortest(set).entrySet()) {
                var ahead = place.mask.ahead();
                if (next.getKey() == '"' && !place.text.endsWith("\\")) {
                    found.add(place.text);
                } else if (ahead != null && follows(ahead, new int[] {next.getValue()})) {
                    places.add(new Place(ahead, place.text + text(next.getValue())));
                }
            }
        }
        return found;
    }

    /// The shortest token for each character that may come next.
    private static Map<Character, Integer> shortest(BitSet set) {
        var tokens = new HashMap<Character, Integer>();
        set.stream()
                .filter(id -> !text(id).isEmpty())
                .forEach(id -> tokens.merge(
                        text(id).charAt(0),
                        id,
                        (one, other) -> text(other).length() < text(one).length() ? other : one));
        return tokens;
    }

    /// The text of a token; empty for control tokens and parts of characters.
    static String text(int id) {
        var text =
                id >= TOKENIZER.vocabularySize() || SpecialTokens.isSpecial(id) ? "" : TOKENIZER.decode(new int[] {id});
        return text.indexOf('\uFFFD') < 0 ? text : "";
    }
}
