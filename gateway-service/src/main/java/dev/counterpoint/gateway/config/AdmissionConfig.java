package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/// The limits of what this gateway takes on, and the order in which jobs go to the workers.
@ConfigMapping(prefix = "gateway.admission")
public interface AdmissionConfig {
    /// Open responses of this gateway. One more gets a 503.
    @WithDefault("4096")
    @Min(1)
    int openMax();

    /// Open responses of one tenant. One more gets a 429.
    @WithDefault("2048")
    @Min(1)
    int openPerTenantMax();

    /// Waiting responses of this gateway. One more gets a 503.
    @WithDefault("2048")
    @Min(1)
    int waitingMax();

    /// Waiting responses of one tenant. One more gets a 429.
    @WithDefault("1024")
    @Min(1)
    int waitingPerTenantMax();

    /// One slot in so many is kept free of tenants that have a job with the workers already, so that another tenant
    /// need not wait for them. With one tenant, or fewer than four slots, none is kept.
    @WithDefault("8")
    @Min(2)
    int slotsPerKeptSlot();

    /// Jobs of the band `high` in a round while jobs of every band wait.
    @WithDefault("12")
    @Min(1)
    int highShare();

    /// Jobs of the band `normal` in a round while jobs of every band wait.
    @WithDefault("3")
    @Min(1)
    int normalShare();

    /// Jobs of the band `low` in a round while jobs of every band wait.
    @WithDefault("1")
    @Min(1)
    int lowShare();
}
