package dev.counterpoint.gateway.api.webhooks;

import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Webhook endpoints of projects, and the events that are on their way to them. A project sees its own endpoints only.
/// The database adds an event in the transaction that ends its response. Thread-safe.
@ApplicationScoped
class StoredWebhooks {
    private static final int HINT = 4;
    private static final int SEALED_AT_ONCE = 100;
    private static final String COLUMNS = """
            id, tenant_id, created_at, updated_at, name, url, event_types, secret,
            case when previous_until > now() then previous_secret end, secret_hint""";
    private static final String SELECT = "select " + COLUMNS + " from webhook_endpoint where ";
    private static final String CREATE = """
            insert into webhook_endpoint (id, tenant_id, project, name, url, event_types, secret, secret_hint)
            values (?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String UPDATE = """
            update webhook_endpoint set name = ?, url = ?, event_types = ?, updated_at = now()
            where id = ? and (name, url, event_types) is distinct from (?, ?, ?)""";
    private static final String ROTATE = """
            update webhook_endpoint set previous_secret = case when ? then secret end, secret = ?, secret_hint = ?,
                previous_until = now() + interval '1 day', updated_at = now()
            where id = ?""";

    /// Two minutes are more than an attempt takes.
    private static final String LEASE = """
            update webhook_endpoint set leased_until = now() + interval '2 minutes' where id in (
                select id from webhook_endpoint e
                where leased_until <= now() and exists (
                    select from webhook_delivery where endpoint_id = e.id and due_at <= now())
                order by leased_until limit ? for update skip locked)
            returning\s""" + COLUMNS;

    /// Events of one response go one after another.
    private static final String NEXT = """
            select number, event_id, event_type, response_id, created_at, attempts from webhook_delivery d
            where endpoint_id = ? and due_at <= now() and not exists (
                select from webhook_delivery e
                where e.endpoint_id = d.endpoint_id and e.response_id = d.response_id and e.number < d.number)
            order by due_at, number limit 1""";

    private final Sql sql;
    private final WebhookSecrets secrets;

    StoredWebhooks(Sql sql, WebhookSecrets secrets) {
        this.sql = sql;
        this.secrets = secrets;
    }

    /// A URL to which a project's events go.
    ///
    /// @param eventTypes names with commas between them
    /// @param secret sealed to gateways
    /// @param previousSecret the secret before, sealed too, while it still signs
    record Endpoint(
            String id,
            String tenant,
            Instant createdAt,
            Instant updatedAt,
            String name,
            String url,
            String eventTypes,
            String secret,
            @Nullable String previousSecret,
            String hint) {
        /// Names neither the URL, which may hold a secret, nor the secrets.
        @Override
        public String toString() {
            return "Endpoint[id=" + id + "]";
        }
    }

    /// What a project says of an endpoint.
    ///
    /// @param eventTypes names with commas between them
    record Settings(String name, String url, String eventTypes) {}

    /// @return its id
    String create(Owner owner, Settings as, String secret) {
        var id = "whe_" + UUID.randomUUID().toString().replace("-", "");
        var tenant = owner.tenant();
        var sealed = secrets.seal(secret, id);
        sql.as(tenant)
                .update(CREATE, id, tenant, owner.project(), as.name, as.url, as.eventTypes, sealed, hint(secret));
        return id;
    }

    /// For people to recognise a secret by.
    private static String hint(String secret) {
        return "whsec_…" + secret.substring(secret.length() - HINT);
    }

    /// The oldest first.
    List<Endpoint> list(Owner owner) {
        var own = SELECT + "tenant_id = ? and project = ? order by created_at, id";
        return sql.as(owner.tenant()).list(Endpoint.class, own, owner.tenant(), owner.project());
    }

    Optional<Endpoint> find(String id, Owner owner) {
        return list(owner).stream().filter(endpoint -> endpoint.id().equals(id)).findFirst();
    }

    /// An update that changes nothing leaves the time of the last change.
    void update(Endpoint endpoint, Settings to) {
        sql.as(endpoint.tenant())
                .update(UPDATE, to.name, to.url, to.eventTypes, endpoint.id(), to.name, to.url, to.eventTypes);
    }

    /// @param keep whether the secret before signs too, for a day
    void rotate(Endpoint endpoint, String secret, boolean keep) {
        var id = endpoint.id();
        sql.as(endpoint.tenant()).update(ROTATE, keep, secrets.seal(secret, id), hint(secret), id);
    }

    /// Its events go with it.
    void delete(Endpoint endpoint) {
        sql.as(endpoint.tenant()).update("delete from webhook_endpoint where id = ?", endpoint.id());
    }

    /// An event that its receiver has not confirmed.
    ///
    /// @param attempts that have failed
    record Delivery(long number, String event, String type, String response, Instant createdAt, int attempts) {}

    /// Takes some endpoints of any tenant with events that are due. Nobody else brings events to them until
    /// [#release], or for two minutes.
    List<Endpoint> lease(int most) {
        return sql.as(Sql.EVERY_TENANT).list(Endpoint.class, LEASE, most);
    }

    void release(Endpoint endpoint) {
        sql.as(endpoint.tenant())
                .update("update webhook_endpoint set leased_until = now() where id = ?", endpoint.id());
    }

    Optional<Delivery> next(Endpoint endpoint) {
        return sql.as(endpoint.tenant()).first(Delivery.class, NEXT, endpoint.id());
    }

    /// Notes that an attempt has failed.
    void postpone(Endpoint endpoint, Delivery delivery, Duration by) {
        sql.as(endpoint.tenant()).update("""
                update webhook_delivery set attempts = attempts + 1, due_at = now() + make_interval(secs => ?)
                where number = ?""", by.toMillis() / 1_000.0, delivery.number);
    }

    void remove(Endpoint endpoint, Delivery delivery) {
        sql.as(endpoint.tenant()).update("delete from webhook_delivery where number = ?", delivery.number);
    }

    /// Seals every secret again within the hour, so that none depends on keys that go at the end of a rotation, and
    /// takes away those whose time is over.
    @Produces
    @Singleton
    BatchTask reseal() {
        return new BatchTask("reseal-webhook-secrets", SEALED_AT_ONCE, most -> {
            sql.transactionAs(Sql.EVERY_TENANT);
            var old = SELECT + "sealed_at < now() - interval '45 minutes' limit ? for update skip locked";
            var endpoints = sql.list(Endpoint.class, old, most);
            for (var endpoint : endpoints) {
                var previous = endpoint.previousSecret();
                sql.update(
                        "update webhook_endpoint set secret = ?, previous_secret = ?, sealed_at = now() where id = ?",
                        secrets.reseal(endpoint.secret(), endpoint.id()),
                        previous == null ? null : secrets.reseal(previous, endpoint.id()),
                        endpoint.id());
            }
            return endpoints.size();
        });
    }
}
