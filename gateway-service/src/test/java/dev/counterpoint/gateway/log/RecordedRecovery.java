package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.RecoveredResponseHandler;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Handlers of responses that a gateway takes up, and which it took up on what thread.
final class RecordedRecovery implements RecoveredResponseHandler {
    private final Instance<RecoveredResponseHandler> handlers;
    private final List<ResponseId> ids = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();

    RecordedRecovery(Instance<RecoveredResponseHandler> handlers) {
        this.handlers = handlers;
    }

    @Override
    public Set<ResponseId> ended(List<ResponseId> some) {
        return handlers.get().ended(some);
    }

    @Override
    public void handle(Generations.Generation generation, Accepted accepted, byte[] echo) {
        ids.add(generation.id());
        threads.add(Thread.currentThread().getName());
        handlers.forEach(handler -> handler.handle(generation, accepted, echo));
    }

    List<ResponseId> ids() {
        return ids;
    }

    List<String> threads() {
        return threads;
    }

    /// The handlers as a gateway is given them.
    @SuppressWarnings("unchecked")
    Instance<RecoveredResponseHandler> recording() {
        return (Instance<RecoveredResponseHandler>) Proxy.newProxyInstance(
                RecordedRecovery.class.getClassLoader(),
                new Class<?>[] {Instance.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "stream" -> Stream.of(this);
                    case "iterator" -> List.of(this).iterator();
                    case "forEach" -> {
                        ((Consumer<RecoveredResponseHandler>) arguments[0]).accept(this);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
