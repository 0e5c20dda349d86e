package dev.counterpoint.worker.engine.remote;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the engine reaches its servers.
///
/// @param dialect what the servers speak
/// @param model name of the model, as clients name it
/// @param upstreamModel the name under which the servers serve it; null when they serve one only
/// @param servers addresses of servers that all serve the same model; at least one
/// @param apiKey sent as bearer token; null sends none
/// @param slots generations at once, on all servers together
/// @param contextLength tokens of prompt and output of one generation; no more than the servers allow
public record RemoteOptions(
        Dialect dialect,
        String model,
        @Nullable String upstreamModel,
        List<URI> servers,
        @Nullable String apiKey,
        int slots,
        int contextLength,
        Times times) {

    /// How long to wait.
    ///
    /// @param connect for a connection
    /// @param firstToken from the request to its first token; the server's queue and the prefill lie in
    ///     it
    /// @param idle between two events of a stream
    /// @param health between two questions after a server's health
    public record Times(Duration connect, Duration firstToken, Duration idle, Duration health) {
        /// For servers in the same data centre.
        public static final Times DEFAULT =
                new Times(Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(2));

        public Times {
            for (var time : List.of(connect, firstToken, idle, health)) {
                if (!time.isPositive()) {
                    throw new IllegalArgumentException("a time is not positive");
                }
            }
        }
    }

    public RemoteOptions {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no server");
        }
        if (slots < 1 || contextLength < 2) {
            throw new IllegalArgumentException("slots or contextLength is too small");
        }
        servers = List.copyOf(servers);
    }

    /// Reads addresses as a setting has them.
    ///
    /// @param list separated by commas
    /// @throws IllegalArgumentException when one is not an http(s) address; the message says which rule
    ///     it breaks and not the address, which could hold a password
    public static List<URI> servers(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .map(RemoteOptions::server)
                .toList();
    }

    private static URI server(String address) {
        URI uri;
        try {
            uri = URI.create(address.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("an address is not a URL");
        }
        if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("an address does not begin with http://HOST or https://HOST");
        }
        if (uri.getUserInfo() != null || uri.getQuery() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException("an address holds more than scheme, host, port and path");
        }
        return uri;
    }

    /// Without the key.
    @Override
    public String toString() {
        return "RemoteOptions[dialect=%s, model=%s, servers=%s]".formatted(dialect.server(), model, servers);
    }
}
