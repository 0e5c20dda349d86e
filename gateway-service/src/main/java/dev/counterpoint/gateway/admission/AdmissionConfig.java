package dev.counterpoint.gateway.admission;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/// How much this gateway takes on, and how much of it waits for the workers in Kafka.
@ConfigMapping(prefix = "gateway.admission")
public interface AdmissionConfig {
    /// Responses of this gateway that are open at once; one more gets a 503.
    @WithDefault("4096")
    @Min(1)
    int openMax();

    /// Of these, of one tenant; one more gets a 429.
    @WithDefault("2048")
    @Min(1)
    int openPerTenantMax();

    /// Responses that wait in this gateway at once; one more gets a 503.
    @WithDefault("2048")
    @Min(1)
    int waitingMax();

    /// Of these, of one tenant; one more gets a 429.
    @WithDefault("1024")
    @Min(1)
    int waitingPerTenantMax();

    /// Jobs in Kafka for each free slot, by all gateways together.
    @WithDefault("2")
    @Min(1)
    int jobsPerFreeSlot();

    /// While no slot is free, one job stands ready in Kafka for so many slots, so that a slot that gets free
    /// need not wait for a gateway. The fewer, the fairer; at least one for each gateway.
    @WithDefault("8")
    @Min(1)
    int slotsPerReadyJob();

    /// While every band waits, so many jobs of a round are urgent ones. As the workers', or the stricter one rules.
    @WithDefault("12")
    @Min(1)
    int highShare();

    /// And so many usual ones.
    @WithDefault("3")
    @Min(1)
    int normalShare();

    /// And so many that can wait.
    @WithDefault("1")
    @Min(1)
    int lowShare();
}
