package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.probe.ModelRules;
import dev.counterpoint.engine.chat.probe.ServerFacts;
import dev.counterpoint.engine.chat.probe.ServerQuestions;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the knowledge about the model up to date: asks each server about itself, again and again. Works in the
/// background, on a thread of its own.
final class ModelWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelWatch.class);
    private static final long TICK_MILLIS = 50;
    /// Jobs wait for the first answer as long as so many questions may take.
    private static final int QUESTIONS_AWAITED = 3;

    private final ChatOptions options;
    private final ModelRules rules;
    private final Supplier<List<URI>> wellServers;
    private final Supplier<Set<URI>> leftOut;
    private final List<Watched> servers;
    private final ServerQuestions questions;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("model-watch").daemon().factory());
    private volatile KnownModel known;
    private volatile boolean asked;
    /// When the first server was well; 0 before.
    private volatile long wellAtNanos;
    private int wellBefore;

    /// What is known of one server; touched by the timer only.
    private static final class Watched {
        private final URI address;
        private @Nullable ServerFacts facts;
        private long askAtNanos = System.nanoTime();

        private Watched(URI address) {
            this.address = address;
        }
    }

    /// @param wellServers servers that are healthy now
    /// @param leftOut servers whose configuration keeps them from serving
    ModelWatch(ChatOptions options, Supplier<List<URI>> wellServers, Supplier<Set<URI>> leftOut) {
        this.options = options;
        this.wellServers = wellServers;
        this.leftOut = leftOut;
        var strategies = options.reasoning();
        rules = new ModelRules(
                options.knowing().settings(),
                strategies.isEmpty() ? null : ReasoningStrategy.unmarked(strategies),
                ReasoningStrategy.names(strategies));
        servers = options.access().servers().stream().map(Watched::new).toList();
        questions =
                new ServerQuestions(options.access().apiKey(), options.knowing().questionTimeout());
        known = rules.before(options.upstreamModel());
    }

    void start() {
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    KnownModel known() {
        return known;
    }

    /// True if a server has answered, or that takes too long.
    boolean ready() {
        long well = wellAtNanos;
        long patience = QUESTIONS_AWAITED * options.knowing().questionTimeout().toNanos();
        return asked || well != 0 && System.nanoTime() - well > patience;
    }

    private void tick() {
        try {
            var well = wellServers.get();
            lookForReturned(well.size());
            forget(leftOut.get());
            for (var server : servers) {
                if (well.contains(server.address) && System.nanoTime() - server.askAtNanos >= 0) {
                    look(server);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // Its message could hold content.
            LOG.error("asking after the model failed cause={}", e.getClass().getSimpleName());
        }
    }

    /// A server that comes back may have come back with another model.
    private void lookForReturned(int well) {
        if (well > 0 && wellAtNanos == 0) {
            wellAtNanos = System.nanoTime();
        }
        if (well > wellBefore) {
            servers.forEach(server -> server.askAtNanos = System.nanoTime());
        }
        wellBefore = well;
    }

    /// The facts of a server that gets no job do not count.
    private void forget(Set<URI> unfit) {
        var forgotten = servers.stream()
                .filter(server -> server.facts != null && unfit.contains(server.address))
                .toList();
        forgotten.forEach(server -> server.facts = null);
        if (!forgotten.isEmpty()) {
            publish();
        }
    }

    private void look(Watched server) throws InterruptedException {
        var facts = questions.ask(server.address, options.upstreamModel());
        boolean unheard = facts.isEmpty() && server.facts == null;
        var pause = unheard
                ? options.access().timeouts().health()
                : options.knowing().askInterval();
        server.askAtNanos = System.nanoTime() + pause.toNanos();
        // A question that a busy server left unanswered is no change.
        if (facts.isEmpty() || server.facts != null && !facts.get().complete()) {
            return;
        }
        if (!facts.get().equals(server.facts)) {
            server.facts = facts.get();
            publish();
        }
        asked = true;
    }

    private void publish() {
        var all = servers.stream()
                .flatMap(server -> Stream.ofNullable(server.facts))
                .map(rules::of)
                .toList();
        if (all.isEmpty()) {
            return; // the last knowledge holds until there is a server to ask
        }
        var now = rules.common(all);
        if (!now.text().equals(known.text())) {
            LOG.info("model model={} known=\"{}\"", options.model(), now.text());
        }
        known = now;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        questions.close();
    }
}
