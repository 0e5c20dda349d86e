package dev.counterpoint.gateway.api.completions;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.StoredCompletions;
import dev.counterpoint.openai.json.WireException;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The query by which a caller selects stored completions: `model` and `metadata[key]`.
public class CompletionFilter {
    private static final Pattern METADATA = Pattern.compile("metadata\\[(.*)]", Pattern.DOTALL);

    @QueryParam("model")
    @Nullable
    String model;

    @Context
    @Nullable
    UriInfo uri;

    /// @throws WireException for metadata that is none
    public StoredCompletions.Filter filter() {
        var metadata = new LinkedHashMap<String, String>();
        if (uri != null) {
            uri.getQueryParameters().forEach((name, values) -> {
                var member = METADATA.matcher(name);
                if (member.matches()) {
                    metadata.put(member.group(1), values.getLast());
                } else if (name.equals("metadata")) {
                    throw RequestRules.invalid("metadata", "name the key, as in 'metadata[key]=value'.");
                }
            });
        }
        RequestRules.metadata(metadata);
        return new StoredCompletions.Filter(model, metadata);
    }
}
