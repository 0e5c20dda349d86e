package dev.counterpoint.servicekit;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import io.quarkus.runtime.Quarkus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that the topics of the bus were lost: positions, accounts of work and answers under way then stand on what
/// is gone. The process ends, and its supervisor starts it anew on the new bus. A bus that does not answer is only
/// away.
public final class LostBus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LostBus.class);
    private static final Duration PACE = Duration.ofSeconds(3);
    /// So often in a row: a broker that has just started may not know its topics yet.
    private static final int LOOKS = 3;

    private final Supplier<Uuid> look;
    private final Runnable lost;
    private final Runnable closing;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("lost-bus").daemon().factory());
    private @Nullable Uuid first;
    private int others;

    /// @param look the id of a topic that is there as long as the bus is; zero for none
    /// @param lost run once
    LostBus(Supplier<Uuid> look, Runnable lost, Runnable closing) {
        this.look = look;
        this.lost = lost;
        this.closing = closing;
    }

    /// Ends this process once the bus is another one.
    ///
    /// @param before run before
    public static LostBus watch(KafkaClients clients, Runnable before) {
        var admin = clients.admin();
        var watch = new LostBus(
                () -> topic(admin),
                () -> {
                    before.run();
                    Quarkus.asyncExit(1);
                },
                () -> admin.close(Duration.ZERO));
        watch.timer.scheduleWithFixedDelay(watch::look, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
        return watch;
    }

    private static Uuid topic(Admin admin) {
        try {
            var described = admin.describeTopics(List.of(Topic.MODELS)).topicNameValues();
            return Objects.requireNonNull(described.get(Topic.MODELS))
                    .get(PACE.toMillis(), TimeUnit.MILLISECONDS)
                    .topicId();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Uuid.ZERO_UUID;
            }
            throw new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException(e);
        }
    }

    void look() {
        try {
            found(look.get());
        } catch (KafkaException e) {
            LOG.debug("the bus is away cause={}", e.getClass().getSimpleName());
        }
    }

    private void found(Uuid topic) {
        if (first == null && !topic.equals(Uuid.ZERO_UUID)) {
            first = topic;
        }
        others = topic.equals(first) || first == null ? 0 : others + 1;
        if (others == LOOKS) {
            LOG.error("the topics of the bus were lost: this process ends, to start anew on the new bus");
            lost.run();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        closing.run();
    }
}
