package dev.counterpoint.audit.access;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `access_entry`; used through [AccessLog] only.
@ApplicationScoped
class AccessRows implements PanacheRepositoryBase<AccessRow, Long> {}
