package dev.counterpoint.gateway.api.paging;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A part of a list that a caller wants.
///
/// @param after id of the last entry that the caller has; null for none
/// @param descending whether the newest come first
/// @param limit how many entries at most, from 1
public record Page(@Nullable String after, boolean descending, int limit) {
    /// The part itself.
    ///
    /// @param more whether the list goes on behind it
    public record Entries<T>(List<T> shown, boolean more) {
        public Entries {
            shown = List.copyOf(shown);
        }

        /// Id of the first entry; empty for none.
        public String firstId(Function<T, String> id) {
            return shown.isEmpty() ? "" : id.apply(shown.getFirst());
        }

        /// Id of the last entry; empty for none.
        public String lastId(Function<T, String> id) {
            return shown.isEmpty() ? "" : id.apply(shown.getLast());
        }
    }

    /// One more than is shown, to learn whether there is more.
    public int fetch() {
        return limit + 1;
    }

    /// The shown part of [#fetch] entries.
    public <T> Entries<T> of(List<T> fetched) {
        return new Entries<>(fetched.subList(0, Math.min(limit, fetched.size())), fetched.size() > limit);
    }

    /// The shown part of a whole list.
    ///
    /// @param all the oldest first
    /// @throws WireException when no entry has the id that the caller names
    public <T> Entries<T> ofAll(List<T> all, Function<T, String> id) {
        var ordered = descending ? all.reversed() : all;
        int from = 0;
        if (after != null) {
            while (from < ordered.size() && !id.apply(ordered.get(from)).equals(after)) {
                from++;
            }
            if (from == ordered.size()) {
                throw unknownAfter();
            }
            from++;
        }
        return of(ordered.subList(from, Math.min(ordered.size(), from + fetch())));
    }

    /// The refusal of an `after` that names no entry of the list.
    public static WireException unknownAfter() {
        return RequestRules.invalid("after", "the list has no entry of this id.");
    }
}
