package dev.counterpoint.gateway.log.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.Topic;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class ReplayFeedTest {
    private final ResponseId id = ResponseId.create(0, 0);
    private final ReplayFeed feed = new ReplayFeed(id, 0);

    @Test
    void aLogThatIsReadOnIsWaitedForHoweverMuchOthersSaid() throws Exception {
        // Given a reader that finds only other responses' records for longer than a silent bus is waited for
        var reading = Thread.startVirtualThread(() -> {
            for (int step = 1; step <= 14; step++) {
                sleep();
                feed.passed(10L * step, 0);
            }
            feed.offer(new ConsumerRecord<>(Topic.FRAMES, 0, 200, id.toString(), new byte[0]));
        });
        // When
        var record = feed.takeBefore(1_000, Long.MAX_VALUE);
        // Then
        assertThat(record).isNotNull();
        assertThat(record.offset()).isEqualTo(200);
        reading.join();
    }

    @Test
    void aLogThatWasReadToItsEndHasNoMore() throws Exception {
        feed.passed(1_000, 0);

        assertThat(feed.takeBefore(1_000, Long.MAX_VALUE)).isNull();
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(400);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
