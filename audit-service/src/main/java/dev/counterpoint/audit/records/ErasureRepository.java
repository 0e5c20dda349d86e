package dev.counterpoint.audit.records;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `erasure`; used through [ErasureStore] only.
@ApplicationScoped
class ErasureRepository implements PanacheRepositoryBase<ErasureRow, String> {}
