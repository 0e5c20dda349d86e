package dev.counterpoint.audit.ledger;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `trace_record`; used through [Ledger] only.
@ApplicationScoped
class RecordRows implements PanacheRepositoryBase<RecordRow, Long> {}
