package dev.counterpoint.gateway.log.owner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Which responses a gateway takes up, and on what threads it rebuilds their turns.
final class RecordedRecovery {
    private final List<ResponseId> ids = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();

    List<ResponseId> ids() {
        return ids;
    }

    List<String> threads() {
        return threads;
    }

    FollowedResponses.Recovery watching(FollowedResponses.Recovery recovery) {
        return response -> {
            ids.add(response.id);
            recovery.recover(response);
        };
    }

    /// The APIs as a gateway is given them.
    @SuppressWarnings("unchecked")
    Instance<TurnRebuilder> watching(Instance<TurnRebuilder> apis) {
        return (Instance<TurnRebuilder>) Proxy.newProxyInstance(
                RecordedRecovery.class.getClassLoader(), new Class<?>[] {Instance.class}, (_, method, _) -> {
                    if (method.getName().equals("iterator")) {
                        return apis.stream().map(Watched::new).iterator();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private final class Watched implements TurnRebuilder {
        private final TurnRebuilder api;

        Watched(TurnRebuilder api) {
            this.api = api;
        }

        @Override
        public String kind() {
            return api.kind();
        }

        @Override
        public TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo) {
            threads.add(Thread.currentThread().getName());
            return api.rebuild(generation, accepted, echo);
        }

        @Override
        public Optional<TurnRows.Last> notOnBus(StoredResponses.Row row) {
            return api.notOnBus(row);
        }
    }
}
