package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.gateway.log.follow.LogConsumer;
import jakarta.enterprise.inject.Vetoed;
import java.util.Optional;

/// An owner of partitions whose consumer a test turns by hand.
@Vetoed
final class HandTurnedOwner extends PartitionOwnership {
    private final String gateway;
    private final LogConsumer loop;
    private final int frameFormat;

    @SuppressWarnings("NullAway")
    HandTurnedOwner(String gateway, LogConsumer loop, int frameFormat) {
        super(TestStreamSettings.defaults(), null, null, null, null, null, null, null);
        this.gateway = gateway;
        this.loop = loop;
        this.frameFormat = frameFormat;
    }

    @Override
    int frameFormat() {
        return frameFormat;
    }

    @Override
    String incarnation() {
        return gateway;
    }

    @Override
    public Optional<LogConsumer> loop() {
        return Optional.of(loop);
    }
}
