package dev.counterpoint.gateway.tenancy;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/// The table `api_key`; used through [ApiKeys] and [KeyBootstrap] only.
@ApplicationScoped
class KeyRows implements PanacheRepositoryBase<KeyRow, String> {
    /// A key with its tenant.
    record Owned(KeyRow key, TenantRow tenant) {
        /// @param writtenSummaries whether the deployment allows them
        Caller caller(boolean writtenSummaries) {
            return new Caller(
                    tenant.id,
                    key.project,
                    key.id,
                    key.scopes(),
                    tenant.auditOptInId,
                    key.audit,
                    tenant.limited() || key.limited(),
                    writtenSummaries && tenant.writtenSummaries);
        }
    }

    /// The key of this hash, also when the key is revoked or the tenant deleted.
    Optional<Owned> find(byte[] hash) {
        return find(hash, "");
    }

    /// The key of this hash while it opens anything.
    Optional<Owned> findOpen(byte[] hash) {
        return find(hash, """
                 and k.revokedAt is null and t.deletedAt is null
                and (k.expiresAt is null or k.expiresAt > instant)""");
    }

    private Optional<Owned> find(byte[] hash, String condition) {
        var query = "select k, t from KeyRow k join TenantRow t on t.id = k.tenant where k.hash = ?1" + condition;
        return getEntityManager()
                .createQuery(query, Owned.class)
                .setParameter(1, hash)
                .getResultStream()
                .findFirst();
    }
}
