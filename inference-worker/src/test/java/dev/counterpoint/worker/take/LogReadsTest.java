package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.worker.take.LogReads.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogReadsTest {
    private static final ResponseId ANNA = new ResponseId(1, 3, 0, 1);
    private static final ResponseId BERT = new ResponseId(1, 3, 0, 2);
    private static final ResponseId ELSEWHERE = new ResponseId(1, 4, 0, 3);

    private final MemoryBus bus = new MemoryBus();
    private final LogReads reads = new LogReads(bus::reader);

    @AfterEach
    void close() {
        reads.close();
    }

    @Test
    void oneResponseIsReadOutOfTheLogOfMany() throws Exception {
        // Given
        write(ANNA, BERT, ANNA, BERT, ANNA);
        bus.readable();
        // Then
        assertThat(offsets(ANNA, 0, 3)).containsExactly(0L, 2L);
        assertThat(offsets(ANNA, 1, 4)).containsExactly(2L, 4L);
        assertThat(offsets(ANNA, 3, Stretch.END)).containsExactly(4L);
        assertThat(offsets(ANNA, 5, Stretch.END)).isEmpty();
        assertThat(reads.read(new Stretch(BERT, 0, true, 4))).hasSize(2);
    }

    @Test
    void whatOverlapsIsReadOnce() throws Exception {
        // Given 200 records of which 20 jobs need one half each
        for (int i = 0; i < 100; i++) {
            write(ANNA, BERT);
        }
        var asked = LongStream.range(0, 20)
                .mapToObj(number -> elsewhere(number % 2 == 0 ? ANNA : BERT, number, 180 + number))
                .toList();
        // When
        bus.readable();
        // Then
        for (int number = 0; number < 20; number++) {
            int parity = number % 2;
            var expected = LongStream.rangeClosed(number, 180 + number)
                    .filter(offset -> offset % 2 == parity)
                    .boxed()
                    .toList();
            assertThat(asked.get(number).get()).isEqualTo(expected);
        }
        assertThat(bus.handedOut).as("one by one it were 3,620").isLessThan(1_800);
    }

    @Test
    void partitionsAreReadTogetherAndOneThatIsGoneDisturbsNoOther() throws Exception {
        // Given
        write(ANNA, ANNA, ANNA);
        write(ELSEWHERE, ELSEWHERE, ELSEWHERE, ELSEWHERE);
        bus.begins = 1;
        var gone = elsewhere(ANNA, 0, 2);
        var there = elsewhere(ELSEWHERE, 1, 3);
        // When
        bus.readable();
        // Then
        assertThat(there.get()).containsExactly(1L, 2L, 3L);
        assertThat(gone).failsWithin(Duration.ofSeconds(10));
        assertThat(offsets(ANNA, 1, 2)).containsExactly(1L, 2L);
    }

    @Test
    void eachStretchIsWholeWhateverElseIsAsked() throws Exception {
        // Given
        bus.readable();
        var random = new Random(7);
        var responses = List.of(ANNA, BERT, ELSEWHERE);
        var keys = new ArrayList<ResponseId>();
        for (int i = 0; i < 400; i++) {
            keys.add(responses.get(random.nextInt(2)));
            write(keys.getLast());
        }
        for (int round = 0; round < 50; round++) {
            // When
            var expected = new ArrayList<List<Long>>();
            var found = new ArrayList<CompletableFuture<List<Long>>>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                int last = random.nextInt(keys.size());
                int first = random.nextInt(last + 1);
                var asked = responses.get(random.nextInt(2));
                expected.add(LongStream.rangeClosed(first, last)
                        .filter(offset -> keys.get((int) offset).equals(asked))
                        .boxed()
                        .toList());
                found.add(elsewhere(asked, first, last));
            }
            // Then
            for (int i = 0; i < found.size(); i++) {
                assertThat(found.get(i).get()).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void nothingIsReadOnceItIsClosed() {
        // When
        reads.close();
        // Then
        assertThatThrownBy(() -> offsets(ANNA, 0, 0)).isInstanceOf(KafkaException.class);
    }

    @Test
    void whatOthersSaidWhileAJobWaitedIsNotRead() throws Exception {
        // Given a response that waits while others say 4,000 frames, then one more, and the fence
        write(ANNA);
        for (int i = 0; i < 4_000; i++) {
            write(BERT);
        }
        write(BERT, ANNA);
        bus.readable();
        var ticket =
                new JobTicket(ANNA, 0, 1, "tenant", Set.of(), 0, 0, 1, null, false, UnknownFields.NONE).readFrom(4_001);
        // When
        var found = new LogSearch(reads, Duration.ZERO).find(ticket, null, 4_002, () -> false);
        // Then
        assertThat(found)
                .isInstanceOfSatisfying(
                        LogSearch.Found.Log.class,
                        log -> assertThat(log.frames()).hasSize(2));
        assertThat(bus.handedOut).isLessThan(20);
    }

    private void write(ResponseId... responses) {
        for (var response : responses) {
            bus.append(Frame.sign(response, 1, 0, FrameKind.PROGRESS));
        }
    }

    private List<Long> offsets(ResponseId response, long first, long last) throws InterruptedException {
        return reads.read(Stretch.of(response, first, last)).stream()
                .map(ConsumerRecord::offset)
                .toList();
    }

    private CompletableFuture<List<Long>> elsewhere(ResponseId response, long first, long last) {
        var found = new CompletableFuture<List<Long>>();
        Thread.ofVirtual().start(() -> {
            try {
                found.complete(offsets(response, first, last));
            } catch (InterruptedException | RuntimeException e) {
                found.completeExceptionally(e);
            }
        });
        return found;
    }
}
