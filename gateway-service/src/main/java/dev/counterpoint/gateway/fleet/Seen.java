package dev.counterpoint.gateway.fleet;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.frame.Frame;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A sender of heartbeats as it was when last heard of.
///
/// @param atBeat our beat at that time
/// @param stride our beats for one of its
/// @param beats the number of its beats so far
/// @param left whether it said that it leaves
/// @param frameFormat the newest that it reads
record Seen(long atBeat, Kind kind, int stride, long beats, boolean left, int frameFormat) {
    /// No sender is waited for longer, whatever it says.
    private static final int STRIDE_MAX = 4;

    /// The kind of a sender of heartbeats, as far as the sender told.
    sealed interface Kind {
        /// Nothing was heard of it yet.
        record Unknown() implements Kind {}

        record Gateway() implements Kind {}

        /// @param taken by partition of its inbox
        record Worker(Heartbeat.Model model, Map<Integer, Long> taken) implements Kind {}

        record Service(ServiceRole role, long lagMillis) implements Kind {}

        private static Kind of(Heartbeat beat) {
            if (beat.model() != null) {
                var taken = beat.inbox().stream()
                        .collect(Collectors.toMap(InboxPartition::partition, InboxPartition::taken, Math::max));
                return new Worker(beat.model(), taken);
            }
            return beat.role() == null ? new Gateway() : new Service(beat.role(), beat.lagMillis());
        }

        /// Without what may differ at each beat.
        default Kind steady() {
            return switch (this) {
                case Worker(var model, var _) -> new Worker(withFree(model, 0), Map.of());
                case Service(var role, long _) -> new Service(role, 0);
                case Unknown _, Gateway _ -> this;
            };
        }
    }

    /// One that nothing was heard of yet.
    static Seen unheard(long atBeat) {
        return new Seen(atBeat, new Kind.Unknown(), 1, 0, false, Frame.NEWEST_FORMAT);
    }

    /// @param interval between our beats
    static Seen of(Heartbeat beat, @Nullable Seen before, long atBeat, Duration interval) {
        int stride = Math.clamp(beat.intervalMillis() / interval.toMillis(), 1, STRIDE_MAX);
        long beats = before == null ? 1 : before.beats + 1;
        return new Seen(atBeat, Kind.of(beat), stride, beats, false, beat.frameFormat());
    }

    Seen gone(long beat) {
        return new Seen(beat, kind, stride, beats, true, frameFormat);
    }

    /// The same worker with so many more free slots.
    Seen freed(int more) {
        return kind instanceof Kind.Worker(var model, var taken)
                ? new Seen(
                        atBeat,
                        new Kind.Worker(withFree(model, model.freeSlots() + more), taken),
                        stride,
                        beats,
                        left,
                        frameFormat)
                : this;
    }

    static Heartbeat.Model withFree(Heartbeat.Model model, int free) {
        return new Heartbeat.Model(
                model.name(),
                model.description(),
                model.contextLength(),
                model.slots(),
                Math.clamp(free, 0, model.slots()),
                model.abilities());
    }

    /// The beats of it that are missing by now.
    long missed(long ownBeats) {
        return (ownBeats - atBeat) / stride;
    }

    boolean is(ServiceRole role) {
        return kind instanceof Kind.Service service && service.role == role;
    }

    long lagMillis() {
        return kind instanceof Kind.Service service ? service.lagMillis : 0;
    }

    /// True if it takes jobs of the model. A worker without slots takes none.
    boolean serves(String name) {
        return kind instanceof Kind.Worker(var model, var _) && model.name().equals(name) && model.slots() > 0;
    }

    /// The model that it serves, or null when it is no worker.
    Heartbeat.@Nullable Model model() {
        return kind instanceof Kind.Worker(var model, var _) ? model : null;
    }

    int freeSlots() {
        return kind instanceof Kind.Worker(var model, var _) ? model.freeSlots() : 0;
    }
}
