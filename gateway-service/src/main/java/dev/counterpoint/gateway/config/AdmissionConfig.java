package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/// The limits of what this gateway takes on, and of what waits for the workers in Kafka.
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

    /// Jobs in Kafka for each free slot of workers without an inbox, of all gateways together.
    @WithDefault("2")
    @Min(1)
    int jobsPerFreeSlot();

    /// Slots of workers without an inbox for which one job is ready in Kafka while no slot is free, so that a slot
    /// that gets free need not wait for a gateway. More slots for a job are fairer to tenants. Every gateway has at
    /// least one job ready.
    @WithDefault("8")
    @Min(1)
    int slotsPerReadyJob();

    /// Slots of which one is kept free of tenants that have a job with the workers already, so that another tenant
    /// need not wait for these. Where there is one tenant only, or fewer than four slots, none is kept.
    @WithDefault("8")
    @Min(2)
    int slotsPerKeptSlot();

    /// Urgent jobs of a round while jobs of every band wait. Use the workers' shares: the stricter share rules.
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
