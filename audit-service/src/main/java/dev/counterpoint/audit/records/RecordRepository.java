package dev.counterpoint.audit.records;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `trace_record`; used through [RecordStore] only.
@ApplicationScoped
class RecordRepository implements PanacheRepositoryBase<RecordRow, String> {}
