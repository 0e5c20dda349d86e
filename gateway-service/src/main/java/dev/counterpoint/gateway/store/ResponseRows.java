package dev.counterpoint.gateway.store;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/// The table `response`; used through [StoredResponses] only.
@ApplicationScoped
class ResponseRows implements PanacheRepositoryBase<ResponseRow, String> {}
