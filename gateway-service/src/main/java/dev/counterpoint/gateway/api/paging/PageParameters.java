package dev.counterpoint.gateway.api.paging;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.json.WireException;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The query of all lists of the API, by which a caller selects a page.
public class PageParameters {
    private static final String LIMIT = "limit";
    private static final String ORDER = "order";
    private static final String AFTER = "after";
    private static final String INCLUDE = "include";
    private static final int USUAL = 20;
    private static final int MOST = 100;

    @QueryParam(LIMIT)
    @Nullable
    String limit;

    @QueryParam(ORDER)
    @Nullable
    String order;

    @QueryParam(AFTER)
    @Nullable
    String after;

    @QueryParam(INCLUDE)
    List<String> include = List.of();

    /// The same parameter as most clients spell a list.
    @QueryParam(INCLUDE + "[]")
    List<String> includeEach = List.of();

    /// The page that is wanted.
    ///
    /// @param usual `asc` or `desc`: the order of a caller who names none
    /// @throws WireException that names the parameter that is wrong
    public Page page(String usual) {
        RequestRules.oneOf(ORDER, order, List.of("asc", "desc"));
        return new Page(after, "desc".equals(order == null ? usual : order), limit());
    }

    /// The values of `include`.
    ///
    /// @param known those that there are
    /// @throws WireException for another
    public List<String> include(List<String> known) {
        var all = Stream.concat(include.stream(), includeEach.stream()).toList();
        all.forEach(value -> RequestRules.oneOf(INCLUDE, value, known));
        return all;
    }

    private int limit() {
        if (limit == null) {
            return USUAL;
        }
        try {
            int entries = Integer.parseInt(limit);
            RequestRules.integer(LIMIT, entries, 1, MOST);
            return entries;
        } catch (NumberFormatException e) {
            throw RequestRules.invalid(LIMIT, "expected a whole number from 1 to " + MOST + ".");
        }
    }
}
