package dev.counterpoint.gateway.problem;

import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Refuses URLs with the character NUL: no text of the database can hold it, so nothing goes by such an id.
final class NulCharacters {
    private static final String ENCODED = "%00";
    private static final String NUL = "\0";

    /// Kept as JSON, which can hold it.
    private static final String METADATA = "metadata[";

    private NulCharacters() {}

    /// @return empty for a URL without
    static Optional<Problem> refusal(HttpServerRequest request) {
        var path = request.path();
        if (path != null && (path.contains(ENCODED) || path.contains(NUL))) {
            return Optional.of(Problem.unknownUrl(request.method().name(), path));
        }
        var query = request.query();
        if (query == null || !query.contains(ENCODED)) {
            return Optional.empty();
        }
        return Arrays.stream(query.split("&"))
                .filter(parameter -> parameter.contains(ENCODED))
                .map(NulCharacters::name)
                .filter(name -> !name.startsWith(METADATA))
                .findFirst()
                .map(name -> Problem.invalidRequest(
                        name, "invalid_value", "The character NUL cannot stand in this parameter."));
    }

    private static String name(String parameter) {
        var name = parameter.split("=", 2)[0];
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8).replace(NUL, "");
        } catch (IllegalArgumentException e) {
            return name; // no encoding of anything
        }
    }
}
