package dev.counterpoint.local.faults;

import dev.counterpoint.validator.testkit.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Reads one stream into a list of events, to its end or to where its reader wants to leave.
final class StreamIn {
    /// No stream that is well lasts so long: longer than every fault and every patience of the suite together.
    private static final long WHOLE_MAX_SECONDS = 150;

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("streams").factory());

    private StreamIn() {}

    /// @param events what came is added, [HeardAnswer#DONE] included
    /// @param leaveAfter how many events `events` holds when its reader leaves
    static HeardAnswer.Outcome read(InputStream body, List<String> events, int leaveAfter) {
        var late = new AtomicBoolean();
        var watch = WATCH.schedule(() -> giveUp(body, late), WHOLE_MAX_SECONDS, TimeUnit.SECONDS);
        try (var reader = SseReader.unchecked(body, "the fault run checks what it heard itself")) {
            for (var event = reader.next(); event.isPresent(); event = reader.next()) {
                var data = event.get().data();
                if (data.isEmpty()) {
                    continue;
                }
                events.add(data);
                if (data.equals(HeardAnswer.DONE)) {
                    return HeardAnswer.Outcome.WHOLE;
                }
                if (events.size() >= leaveAfter) {
                    return HeardAnswer.Outcome.LEFT;
                }
            }
            return HeardAnswer.Outcome.BROKEN;
        } catch (IOException broken) {
            return late.get() ? HeardAnswer.Outcome.GAVE_UP : HeardAnswer.Outcome.BROKEN;
        } finally {
            watch.cancel(false);
        }
    }

    private static void giveUp(InputStream body, AtomicBoolean late) {
        late.set(true);
        try {
            body.close();
        } catch (IOException closed) {
            // As wished.
        }
    }
}
