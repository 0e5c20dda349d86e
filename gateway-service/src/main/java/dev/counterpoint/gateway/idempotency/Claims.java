package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.ResponseId;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.Optional;
import org.hibernate.StatelessSession;

/// Which response each key stands for: one row, and whoever writes it first runs the request. Thread-safe; every method
/// is one short transaction.
@ApplicationScoped
class Claims {
    private static final String CLAIM = """
            insert into idempotency_key as held (tenant_id, name, request, response, expires_at)
            values (:tenant, :name, :request, :response, now() + make_interval(secs => :seconds))
            on conflict (tenant_id, name) do update
                set request = excluded.request, response = excluded.response, expires_at = excluded.expires_at
                where held.expires_at <= now()""";

    private final StatelessSession database;

    @Inject
    Claims(StatelessSession database) {
        this.database = database;
    }

    /// A key that stands for a response.
    record Claim(byte[] request, String response) {}

    /// Empty for a key that stands for none.
    @Transactional
    Optional<Claim> find(IdempotencyKey key) {
        return database.createNativeQuery(
                        "select request, response from idempotency_key"
                                + " where tenant_id = :tenant and name = :name and expires_at > now()",
                        Object[].class)
                .setParameter("tenant", key.tenant())
                .setParameter("name", key.name())
                .setTupleTransformer((columns, _) -> new Claim((byte[]) columns[0], (String) columns[1]))
                .uniqueResultOptional();
    }

    /// Lets the key stand for a response.
    ///
    /// @return false when it stands for another one
    @Transactional
    boolean claim(IdempotencyKey key, ResponseId response, Duration life) {
        return database.createNativeMutationQuery(CLAIM)
                        .setParameter("tenant", key.tenant())
                        .setParameter("name", key.name())
                        .setParameter("request", key.request())
                        .setParameter("response", response.toString())
                        .setParameter("seconds", (double) life.toSeconds())
                        .executeUpdate()
                == 1;
    }

    /// The key that stands for this response, if any, is free again.
    @Transactional
    void forget(ResponseId response) {
        database.createNativeMutationQuery("delete from idempotency_key where response = :response")
                .setParameter("response", response.toString())
                .executeUpdate();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void forgetExpired() {
        database.createNativeMutationQuery("delete from idempotency_key where expires_at <= now()")
                .executeUpdate();
    }
}
