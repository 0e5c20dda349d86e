package dev.counterpoint.gateway.tenancy;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `tenant`; used through [Tenants] only.
@ApplicationScoped
class TenantRows implements PanacheRepositoryBase<TenantRow, String> {}
