package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/// The limits of what this gateway takes on, and the order in which jobs go to the workers.
@ConfigMapping(prefix = "gateway.admission")
public interface AdmissionConfig {
    /// Responses of this gateway that are open at the same time. One more gets a 503.
    @WithDefault("4096")
    @Min(1)
    int openMax();

    /// Responses of one tenant that are open at the same time. One more gets a 429.
    @WithDefault("2048")
    @Min(1)
    int openPerTenantMax();

    /// Responses that wait in this gateway at the same time. One more gets a 503.
    @WithDefault("2048")
    @Min(1)
    int waitingMax();

    /// Responses of one tenant that wait at the same time. One more gets a 429.
    @WithDefault("1024")
    @Min(1)
    int waitingPerTenantMax();

    /// Slots of which one is kept free of tenants that have a job with the workers already, so that another tenant
    /// need not wait for these. Where there is one tenant only, or fewer than four slots, none is kept.
    @WithDefault("8")
    @Min(2)
    int slotsPerKeptSlot();

    /// Urgent jobs of a round while jobs of every band wait.
    @WithDefault("12")
    @Min(1)
    int highShare();

    /// Usual jobs of a round while jobs of every band wait.
    @WithDefault("3")
    @Min(1)
    int normalShare();

    /// Jobs that can wait, of a round while jobs of every band wait.
    @WithDefault("1")
    @Min(1)
    int lowShare();
}
