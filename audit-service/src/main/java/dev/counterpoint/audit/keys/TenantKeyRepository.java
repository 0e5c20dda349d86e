package dev.counterpoint.audit.keys;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `tenant_key`; used through [EnvelopeKeys] only.
@ApplicationScoped
class TenantKeyRepository implements PanacheRepositoryBase<TenantKeyRow, String> {}
