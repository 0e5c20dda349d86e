package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// Decides which band of jobs has its turn: the most urgent one with a share left in this round. A round ends when no
/// band with waiting jobs has a share left. So other bands use the share of an empty band at once, and every band with
/// waiting jobs gets a turn within two rounds. Not thread-safe.
final class BandSchedule {
    private final Map<Band, Integer> shares;
    private final Map<Band, Integer> left;

    /// @param shares takes of each band in a round, at least 1 each
    BandSchedule(Map<Band, Integer> shares) {
        if (shares.size() < Band.values().length || shares.values().stream().anyMatch(share -> share < 1)) {
            throw new IllegalArgumentException("every band needs a share of at least 1");
        }
        this.shares = new EnumMap<>(shares);
        left = new EnumMap<>(shares);
    }

    /// @param wanting at least one
    Band next(Set<Band> wanting) {
        if (wanting.stream().allMatch(band -> left(band) == 0)) {
            left.putAll(shares);
        }
        return Arrays.stream(Band.values())
                .filter(band -> wanting.contains(band) && left(band) > 0)
                .findFirst()
                .orElseThrow();
    }

    void took(Band band) {
        left.computeIfPresent(band, (_, takes) -> Math.max(0, takes - 1));
    }

    private int left(Band band) {
        return left.getOrDefault(band, 0);
    }
}
