package dev.counterpoint.audit.ledger;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `erasure`; used through [Erasures] only.
@ApplicationScoped
class ErasureRows implements PanacheRepositoryBase<ErasureRow, String> {}
