package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.engine.http.ServerExaminer;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import dev.counterpoint.engine.http.UpstreamServer;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks servers what they are and can, when the engine begins and whenever one comes back. Thread-safe.
final class ServerSurvey implements ServerExaminer {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSurvey.class);

    private final RemoteOptions options;
    private final Map<URI, ServerProfile> profiles = new ConcurrentHashMap<>();
    private final Map<URI, SlotLimit> limits = new ConcurrentHashMap<>();

    ServerSurvey(RemoteOptions options) {
        this.options = options;
    }

    @Override
    public @Nullable String objection(UpstreamClient client, UpstreamServer server) throws InterruptedException {
        var questions = new ServerQuestioning(client, server, options);
        try {
            var profile = questions.profile();
            LOG.info(
                    "server address={} kind={} {}",
                    server.address(),
                    options.dialect().server(),
                    profile);
            Optional.ofNullable(profile.contextLength())
                    .flatMap(told -> UpstreamEngine.smallContext(told, options.contextLength()))
                    .ifPresent(text -> LOG.warn("server address={} warning=\"{}\"", server.address(), text));
            profiles.put(server.address(), profile);
            limits.put(server.address(), SlotLimit.first(profile.requestsMax()));
            return null;
        } catch (ServerFailure e) {
            profiles.remove(server.address());
            return e.getMessage();
        }
    }

    @Override
    public void look(UpstreamClient client, UpstreamServer server) throws InterruptedException {
        var metrics = new UpstreamClient.Call("/metrics", MissingNode.getInstance());
        var reply = client.ask(server, metrics, options.access().timeouts().connect());
        var load = reply.ok() ? LoadReport.of(reply.body()) : null;
        if (load != null) {
            limits.computeIfPresent(server.address(), (_, limit) -> limit.next(load, server.load()));
        }
    }

    /// How many requests a server gets at once from here.
    int slotsOf(UpstreamServer server) {
        var limit = limits.get(server.address());
        return limit == null ? SlotLimit.FIRST : limit.slots();
    }

    RemoteOptions options() {
        return options;
    }

    ServerProfile of(UpstreamServer server) {
        return profiles.getOrDefault(server.address(), ServerProfile.UNKNOWN);
    }
}
