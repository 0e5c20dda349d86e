package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ShareMemberDescription;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether there are places for more than one consumer of each worker in a share group. A broker with the usual
/// settings takes 200 members (`group.share.max.size`), and whoever comes then gets no job. Several consumers make one
/// worker take jobs faster; of many workers one each does. So a worker has one in any case, and more only while all
/// workers of the group could have as many. Thread-safe.
final class TakerPlaces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TakerPlaces.class);
    /// Some places are left for workers that come before the others make room.
    private static final int MEMBERS_MAX = 150;
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaClients clients;
    private final String group;
    private final int takers;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("taker-places").daemon().factory());
    private @Nullable Admin admin;
    private volatile boolean free;

    /// @param takers that each worker would like to have
    TakerPlaces(KafkaClients clients, String group, int takers) {
        this.clients = clients;
        this.group = group;
        this.takers = takers;
    }

    /// The part of a consumer in its group, as its client id says it.
    enum Taker {
        FIRST,
        FURTHER;

        String clientId() {
            return "taker-" + name();
        }
    }

    void start() {
        if (takers > 1) {
            looking.scheduleWithFixedDelay(this::look, FIRST_LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /// True if a worker may have more than one consumer; false until it is known.
    boolean free() {
        return free;
    }

    /// True if all workers of a group may have as many consumers.
    ///
    /// @param clientIds of the group's members; those of earlier versions do not say what they are
    static boolean free(Collection<String> clientIds, int takers) {
        long workers = clientIds.stream().filter(Taker.FIRST.clientId()::equals).count();
        long unknown = clientIds.stream()
                .filter(id -> !id.equals(Taker.FIRST.clientId()) && !id.equals(Taker.FURTHER.clientId()))
                .count();
        return workers * takers + unknown <= MEMBERS_MAX;
    }

    private void look() {
        try {
            var talking = admin == null ? clients.admin() : admin;
            admin = talking;
            var members = talking.describeShareGroups(List.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .map(ShareMemberDescription::clientId)
                    .toList();
            free = free(members, takers);
        } catch (ExecutionException | KafkaException e) {
            // What was known holds.
            LOG.debug("group is not described cause={}", e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
        var talking = admin;
        if (talking != null) {
            talking.close(CLOSE);
        }
    }
}
