package dev.counterpoint.engine.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The servers of an engine, and which one gets a request. Thread-safe.
///
/// Requests that begin alike go where their beginning lies computed, as far as the load allows: [PrefixRouter].
final class LoadBalancer {
    private final List<UpstreamServer> servers;
    private final PrefixRouter router;

    LoadBalancer(List<UpstreamServer> servers) {
        this.servers = List.copyOf(servers);
        var names = servers.stream()
                .mapToLong(server -> server.address().hashCode())
                .toArray();
        router = new PrefixRouter(PrefixRouter.NODES_MAX, names);
    }

    List<UpstreamServer> servers() {
        return servers;
    }

    /// Takes a server for one request, until [UpstreamServer#end].
    ///
    /// @param not none of these
    /// @return null when there is none
    synchronized @Nullable UpstreamServer take(PromptPrefix prompt, Set<UpstreamServer> not) {
        int[] loads = servers.stream()
                .mapToInt(server -> server.usable() && !not.contains(server) ? server.load() : -1)
                .toArray();
        int chosen = router.choose(prompt, loads);
        if (chosen < 0) {
            return null;
        }
        servers.get(chosen).begin();
        return servers.get(chosen);
    }

    /// A server that is left out may come back with nothing of what it had.
    synchronized void forget(UpstreamServer server) {
        router.forget(servers.indexOf(server));
    }
}
