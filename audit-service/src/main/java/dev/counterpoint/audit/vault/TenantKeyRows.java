package dev.counterpoint.audit.vault;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `tenant_key`; used through [DataKeys] only.
@ApplicationScoped
class TenantKeyRows implements PanacheRepositoryBase<TenantKeyRow, String> {}
