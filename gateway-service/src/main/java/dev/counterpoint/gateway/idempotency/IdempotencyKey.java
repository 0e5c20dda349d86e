package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.json.WireException;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/// The key by which a client names a request that it may send again, with what must be the same then.
///
/// @param owner whose key it is
/// @param name as the client chose it
/// @param request hash of the path, the API key and the body
public record IdempotencyKey(Owner owner, String name, byte[] request) {
    public static final String HEADER = "Idempotency-Key";
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    /// Says nothing of the request.
    @Override
    public String toString() {
        return "IdempotencyKey[tenant=" + owner.tenant() + "]";
    }

    /// Empty when the request has none.
    ///
    /// @throws WireException that names the header
    public static Optional<IdempotencyKey> of(RoutingContext http, Caller caller, byte[] body) {
        var names = http.request().headers().getAll(HEADER);
        if (names.isEmpty()) {
            return Optional.empty();
        }
        var name = names.size() > 1 ? "" : names.getFirst();
        return Optional.of(named(HEADER, name, caller, hash(http.normalizedPath(), caller.key(), body)));
    }

    /// The key in a message of a WebSocket.
    ///
    /// @param member that holds the name
    /// @throws WireException that names the member
    public static IdempotencyKey ofMessage(String member, String name, Caller caller, byte[] message) {
        return named(member, name, caller, hash("websocket", caller.key(), message));
    }

    private static IdempotencyKey named(String where, String name, Caller caller, byte[] request) {
        if (!FORM.matcher(name).matches()) {
            throw new WireException(
                    where,
                    "invalid_value",
                    "Invalid value for '" + where + "': expected one of 1 to 255 visible ASCII characters.");
        }
        return new IdempotencyKey(caller.owner(), name, request);
    }

    private static byte[] hash(String path, String apiKey, byte[] body) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update((path + "\n" + apiKey + "\n").getBytes(StandardCharsets.UTF_8));
            return digest.digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
