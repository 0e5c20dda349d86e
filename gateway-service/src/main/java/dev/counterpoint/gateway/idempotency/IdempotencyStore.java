package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.ResponseBeginnings;
import dev.counterpoint.gateway.store.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Maps each key to its response in one row. The request whose [ResponseBeginnings] call writes the row first is the
/// one that runs. Thread-safe; every method is one statement.
@ApplicationScoped
class IdempotencyStore {
    private final Sql sql;

    IdempotencyStore(Sql sql) {
        this.sql = sql;
    }

    /// A key that stands for a response.
    ///
    /// @param gateway the process that claimed it; null for one of an earlier version
    record Claim(byte[] request, String response, @Nullable String gateway) {}

    /// Empty for a key that stands for none.
    Optional<Claim> find(IdempotencyKey key) {
        return sql.as(key.owner().tenant()).first(Claim.class, """
                select request, response, gateway from idempotency_key
                where tenant_id = ? and name = ? and expires_at > now()""", key.owner().tenant(), nameOf(key));
    }

    /// What lets the key stand for a response that begins.
    static ResponseBeginnings.Claim claim(IdempotencyKey key) {
        return new ResponseBeginnings.Claim(nameOf(key), key.request());
    }

    /// The name in the database: two projects may choose the same one. A client's name has no blank, so none
    /// is that of another project. In the default project it is as before projects were told apart.
    private static String nameOf(IdempotencyKey key) {
        var owner = key.owner();
        return owner.inDefaultProject() ? key.name() : owner.project() + " " + key.name();
    }

    /// The key that stands for this response, if any, is free again. Whose it is need not be known: the id is one
    /// that this gateway runs or follows.
    void forget(ResponseId response) {
        sql.as(Sql.EVERY_TENANT).update("delete from idempotency_key where response = ?", response.toString());
    }

    @Produces
    @Singleton
    BatchTask expired() {
        return BatchTask.deleting("idempotency_key", "expires_at <= now()", sql);
    }
}
