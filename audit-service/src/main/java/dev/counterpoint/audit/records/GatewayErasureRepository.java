package dev.counterpoint.audit.records;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class GatewayErasureRepository implements PanacheRepositoryBase<GatewayErasureRow, String> {}
