package dev.counterpoint.bus.job;

import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// Decides which band of jobs has its turn: the most urgent one that has not used up its share of this round. A round
/// is over when no band that wants a job has a share left. So the other bands use the share of a band without jobs at
/// once, and a band that wants a job gets one within two rounds. Gateways let jobs into the queues by these turns and
/// workers take them out by the same: if one side were stricter, the other side's shares would be void. Not
/// thread-safe.
public final class BandSchedule {
    private final Map<Band, Integer> shares;
    private final Map<Band, Integer> left;

    /// @param shares takes of each band in a round, at least 1 each
    public BandSchedule(Map<Band, Integer> shares) {
        if (shares.size() < Band.values().length || shares.values().stream().anyMatch(share -> share < 1)) {
            throw new IllegalArgumentException("every band needs a share of at least 1");
        }
        this.shares = new EnumMap<>(shares);
        left = new EnumMap<>(shares);
    }

    /// @param wanting at least one
    public Band next(Set<Band> wanting) {
        if (wanting.stream().allMatch(band -> left(band) == 0)) {
            left.putAll(shares);
        }
        return Arrays.stream(Band.values())
                .filter(band -> wanting.contains(band) && left(band) > 0)
                .findFirst()
                .orElseThrow();
    }

    public void took(Band band) {
        left.computeIfPresent(band, (_, takes) -> Math.max(0, takes - 1));
    }

    private int left(Band band) {
        return left.getOrDefault(band, 0);
    }
}
