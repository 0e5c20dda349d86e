package dev.counterpoint.audit.vault;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `data_key`; used through [DataKeys] only.
@ApplicationScoped
class DataKeyRows implements PanacheRepositoryBase<DataKeyRow, String> {}
