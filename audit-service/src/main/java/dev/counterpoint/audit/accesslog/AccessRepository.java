package dev.counterpoint.audit.accesslog;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `access_entry`; used through [AccessLogStore] only.
@ApplicationScoped
class AccessRepository implements PanacheRepositoryBase<AccessRow, Long> {}
