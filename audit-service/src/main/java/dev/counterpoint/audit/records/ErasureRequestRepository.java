package dev.counterpoint.audit.records;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `erasure_request`; used through [ErasureApprovals] only.
@ApplicationScoped
class ErasureRequestRepository implements PanacheRepositoryBase<ErasureRequestRow, String> {}
