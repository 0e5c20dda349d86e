package dev.counterpoint.audit.records;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `gateway_erasure`.
@Entity
@Table(name = "gateway_erasure")
class GatewayErasureRow {
    /// Of the erasure.
    @Id
    String id;

    String tenant;

    /// The token by which gateways know the person; null once they answered.
    byte @Nullable [] sealed;

    @Nullable
    Instant sentAt;
}
