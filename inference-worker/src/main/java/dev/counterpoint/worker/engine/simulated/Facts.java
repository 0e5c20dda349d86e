package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values that stand in a text, each list in order of appearance and without repeats.
///
/// @param text what they were found in
/// @param places names after `in`, `from`, `to` and the like, and cities that are widely known
/// @param names all other capitalised names
/// @param pairs `key: value`, `key = value` and `key is value`; keys in lower case with single spaces
/// @param items the longest enumeration (`a, b and c`, or lines with bullets)
record Facts(
        String text,
        List<String> emails,
        List<String> urls,
        List<String> phones,
        List<String> dates,
        List<String> times,
        List<BigDecimal> numbers,
        List<String> quotes,
        List<String> places,
        List<String> names,
        List<String> items,
        Map<String, String> pairs) {
    /// The value of the pair whose key is this identifier, else of one whose key says more or less than it:
    /// `invoice` for `invoice_number`, `due date` for `date`. Null when there is none.
    @Nullable
    String pair(String identifier) {
        var words = Words.ofIdentifier(identifier);
        var exact = pairs.get(String.join(" ", words));
        if (exact != null) {
            return exact;
        }
        for (var pair : pairs.entrySet()) {
            var key = List.of(pair.getKey().split(" ", -1));
            if (words.size() > 1 && words.subList(0, words.size() - 1).equals(key)
                    || key.size() > 1 && key.containsAll(words)) {
                return pair.getValue();
            }
        }
        return null;
    }
}
