package dev.counterpoint.gateway.log.follow;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/// Brings the broker's answers to the partitions whose clocks wait for them.
record EndOffsetRequests(Map<Integer, FollowedPartition> partitions) implements EndOffsets.Answer {
    /// Asks for those whose turn it is at this beat of ours.
    static void ask(EndOffsets ends, Collection<FollowedPartition> partitions, long ownBeat) {
        var asking = partitions.stream()
                .filter(at -> at.asks(ownBeat))
                .collect(Collectors.toMap(FollowedPartition::number, at -> at));
        if (asking.isEmpty()) {
            return;
        }
        try {
            ends.ask(Set.copyOf(asking.keySet()), new EndOffsetRequests(asking));
        } catch (KafkaException e) {
            asking.values().forEach(FollowedPartition::answerFailed);
        }
    }

    @Override
    public void ends(int partition, long offset) {
        at(partition).answer(offset);
    }

    @Override
    public void failed(int partition) {
        at(partition).answerFailed();
    }

    private FollowedPartition at(int partition) {
        return Objects.requireNonNull(partitions.get(partition));
    }
}
