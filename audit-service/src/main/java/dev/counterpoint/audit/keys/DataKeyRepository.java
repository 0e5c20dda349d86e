package dev.counterpoint.audit.keys;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `data_key`; used through [EnvelopeKeys] only.
@ApplicationScoped
class DataKeyRepository implements PanacheRepositoryBase<DataKeyRow, String> {}
