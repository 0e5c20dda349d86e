package dev.counterpoint.gateway.api.admin;

import dev.counterpoint.gateway.http.JsonAnswer;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The number of entries that one page of a list shows.
record AdminPageLimit(int entries) {
    private static final int USUAL = 20;
    private static final int MOST = 100;

    /// Refuses what is no number from 1 to 100.
    static AdminPageLimit parse(@Nullable String text) {
        if (text == null) {
            return new AdminPageLimit(USUAL);
        }
        try {
            int entries = Integer.parseInt(text);
            if (entries >= 1 && entries <= MOST) {
                return new AdminPageLimit(entries);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw AdminRequest.invalid("limit", "a whole number from 1 to " + MOST);
    }

    /// One more than is shown, to learn whether there is more.
    int fetch() {
        return entries + 1;
    }

    <T> Response answer(List<T> fetched, Function<T, String> id) {
        var shown = fetched.subList(0, Math.min(entries, fetched.size()));
        return JsonAnswer.ok(new AdminViews.Page(
                "list",
                shown,
                shown.isEmpty() ? null : id.apply(shown.getFirst()),
                shown.isEmpty() ? null : id.apply(shown.getLast()),
                fetched.size() > entries));
    }
}
