package dev.counterpoint.gateway.erasure;

import dev.counterpoint.gateway.config.GatewayIncarnation;
import dev.counterpoint.gateway.request.AuditConsent;
import dev.counterpoint.gateway.store.PersonErasures;
import dev.counterpoint.gateway.turn.AccessRecorder;
import dev.counterpoint.gateway.turn.StoredDeletions;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongPredicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the stored rows of a person that the audit service erased, and puts their number on record. One gateway does
/// it, by a claim in the database; another one takes over when it dies. Each step is short and can be
/// repeated. An outage of the bus or the database delays it.
@ApplicationScoped
class ErasureWork {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureWork.class);
    static final Duration CLAIM = Duration.ofSeconds(30);
    private static final String SAFETY_IDENTIFIER = "safety_identifier";
    private static final String USER = "user";
    private static final int STEPS_MAX = 10_000;
    private static final int FILL_STEPS_MAX = 100;

    private final PersonErasures rows;
    private final EraseTopic topic;
    private final StoredDeletions deletions;
    private final AccessRecorder record;
    private final String gateway;
    private boolean failing;

    @Inject
    ErasureWork(PersonErasures rows, EraseTopic topic, StoredDeletions deletions, AccessRecorder record) {
        this(rows, topic, deletions, record, GatewayIncarnation.name());
    }

    ErasureWork(
            PersonErasures rows, EraseTopic topic, StoredDeletions deletions, AccessRecorder record, String gateway) {
        this.rows = rows;
        this.topic = topic;
        this.deletions = deletions;
        this.record = record;
        this.gateway = gateway;
    }

    @Scheduled(
            every = "2s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void run() {
        try {
            if (rows.claim(gateway, CLAIM).isPresent()) {
                read();
                repeat(FILL_STEPS_MAX, _ -> rows.fill(ErasureWork::endUser));
                rows.due().forEach(this::erase);
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("erasures wait cause={}", SafeStackTrace.name(e));
            }
            failing = true;
        }
    }

    /// Runs a step until it has nothing more to do, or another gateway has the claim.
    ///
    /// @param step takes the offset of the next record of the topic, and returns whether there may be more to do
    /// @return whether there is nothing more to do
    private boolean repeat(int atMost, LongPredicate step) {
        for (int i = 0; i < atMost; i++) {
            var position = rows.claim(gateway, CLAIM);
            if (position.isEmpty()) {
                return false;
            }
            if (!step.test(position.get())) {
                return true;
            }
        }
        return false;
    }

    /// What was read before is deleted while the bus is away, too.
    private void read() {
        try {
            repeat(STEPS_MAX, position -> {
                var part = topic.read(position);
                rows.note(part.erasures(), position, part.next());
                return part.more();
            });
        } catch (KafkaException e) {
            LOG.debug("the topic audit-log does not answer cause={}", SafeStackTrace.name(e));
        }
    }

    /// The end user as a stored response repeats its request; null where it does not, as chat completions do not.
    private static @Nullable String endUser(PersonErasures.Unfilled row) {
        if (row.response() == null) {
            return null;
        }
        var echo = WireJson.parse(row.response().getBytes(StandardCharsets.UTF_8));
        var user = new AuditConsent(
                null, echo.path(SAFETY_IDENTIFIER).textValue(), echo.path(USER).textValue());
        return echo.has(SAFETY_IDENTIFIER) || echo.has(USER) ? user.subject() : null;
    }

    private void erase(PersonErasures.Erasure one) {
        boolean all = repeat(STEPS_MAX, _ -> rows.deleteConversations(one))
                && repeat(STEPS_MAX, _ -> deleteResponses(one))
                && repeat(STEPS_MAX, _ -> rows.deleteReasoning(one))
                && repeat(STEPS_MAX, _ -> rows.deleteDeliveries(one));
        if (all && !one.answered()) {
            rows.counted(one).ifPresent(counts -> {
                record.awaitErased(one.id(), one.tenant(), counts);
                rows.answered(one);
                LOG.info("erased={} tenant={} rows={}", one.id(), one.tenant(), counts.total());
            });
        }
    }

    private boolean deleteResponses(PersonErasures.Erasure one) {
        var deleted = rows.deleteResponses(one);
        deleted.stream()
                .filter(PersonErasures.Deleted::running)
                .flatMap(row -> TurnIds.parse(row.id()).stream())
                .forEach(deletions::cancelUnread);
        return !deleted.isEmpty();
    }
}
