package dev.counterpoint.engine.http;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The addresses of an engine's servers and the way to ask them.
///
/// @param servers addresses of servers that all serve the same model; at least one
/// @param apiKey sent as bearer token; null sends none
/// @param healthPath path below a server's address that answers 200 while the server is well
public record UpstreamAccess(List<URI> servers, @Nullable String apiKey, Timeouts timeouts, String healthPath) {
    private static final Set<Integer> OF_KEYS = Set.of(401, 403);

    /// The limits of a caller's patience with a server.
    ///
    /// @param connect limit for a connection
    /// @param firstToken limit from the request to its first token; the server's queue and the prefill lie in it
    /// @param idle limit between two events of a stream
    /// @param health pause between two questions after a server's health
    public record Timeouts(Duration connect, Duration firstToken, Duration idle, Duration health) {
        /// For servers in the same data centre.
        public static final Timeouts DEFAULT = new Timeouts(
                Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(2));

        public Timeouts {
            for (var time : List.of(connect, firstToken, idle, health)) {
                if (!time.isPositive()) {
                    throw new IllegalArgumentException("a time is not positive");
                }
            }
        }
    }

    public UpstreamAccess {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no server");
        }
        servers = List.copyOf(servers);
    }

    /// Reads addresses as a setting has them.
    ///
    /// @param list separated by commas
    /// @throws IllegalArgumentException when one is not an http(s) address; the message names the broken rule and
    ///     not the address, which could hold a password
    public static List<URI> addresses(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .map(UpstreamAccess::address)
                .toList();
    }

    private static URI address(String text) {
        URI uri;
        try {
            uri = URI.create(text.replaceFirst("/+$", ""));
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

    /// Why a server cannot serve that answers with this status: it does not take our key. Null where the status says
    /// nothing of keys.
    public @Nullable String keyFault(int status) {
        if (!OF_KEYS.contains(status)) {
            return null;
        }
        var wanted = apiKey == null
                ? "wants a key, and worker.remote.api-key is not set"
                : "wants another key than the one of worker.remote.api-key";
        return wanted + " (HTTP " + status + ")";
    }

    /// The key is left out.
    @Override
    public String toString() {
        return "UpstreamAccess[servers=" + servers + "]";
    }
}
