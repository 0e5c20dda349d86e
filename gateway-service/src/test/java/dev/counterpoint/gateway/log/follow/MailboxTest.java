package dev.counterpoint.gateway.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class MailboxTest {
    private static final long LONG = TimeUnit.SECONDS.toMillis(60);

    @Test
    void outputsComeInTheOrderTheyWentIn() throws InterruptedException {
        // Given
        var mailbox = new Mailbox(16);
        mailbox.offer(hidden(0));
        mailbox.offer(hidden(1));
        // Then
        assertThat(mailbox.poll(0)).isEqualTo(hidden(0));
        assertThat(mailbox.poll(0)).isEqualTo(hidden(1));
        assertThat(mailbox.poll(0)).isNull();
    }

    @Test
    void whoFallsBehindGetsWhatCameBeforeAndThenHearsOfIt() throws InterruptedException {
        // Given
        var mailbox = new Mailbox(2);
        // When
        boolean first = mailbox.offer(hidden(0));
        boolean second = mailbox.offer(hidden(1));
        boolean third = mailbox.offer(hidden(2));
        // Then
        assertThat(first && second).isTrue();
        assertThat(third).isFalse();
        assertThat(mailbox.poll(LONG)).isEqualTo(hidden(0));
        assertThat(mailbox.poll(LONG)).isEqualTo(hidden(1));
        assertThat(mailbox.poll(LONG)).isNull();
        assertThat(mailbox.exhausted()).isTrue();
    }

    @Test
    void afterAHoleNothingMoreGetsIn() throws InterruptedException {
        // Given
        var mailbox = new Mailbox(1);
        mailbox.offer(hidden(0));
        mailbox.offer(hidden(1));
        mailbox.poll(0);
        // When
        boolean later = mailbox.offer(hidden(2));
        // Then
        assertThat(later).isFalse();
        assertThat(mailbox.poll(0)).isNull();
        assertThat(mailbox.exhausted()).isTrue();
    }

    @Test
    @DisplayName("M2 log probabilities that nobody reads fill a mailbox sooner")
    void logProbabilitiesCount() {
        // Given
        var mailbox = new Mailbox(16);
        var likely = new Delta.TokenLogprob("a", new byte[] {97}, -1, List.of());
        var token = new Delta.TokenLogprob("a", new byte[] {97}, -1, Collections.nCopies(20, likely));
        var output = new ModelOutput.Passage(0, false, new Delta(null, new int[] {1}, "a", false, List.of(token)));
        // When
        boolean first = mailbox.offer(output);
        boolean second = mailbox.offer(output);
        // Then
        assertThat(first).isTrue();
        assertThat(second).isFalse();
    }

    @Test
    void offeringNeverBlocks() {
        // Given
        var mailbox = new Mailbox(1);
        // When
        for (int i = 0; i < 10_000; i++) {
            mailbox.offer(hidden(i));
        }
        // Then the timeout did not strike
    }

    @Test
    void aReaderThatWaitsIsWokenByTheNextOutput() throws Exception {
        // Given
        var mailbox = new Mailbox(1);
        var read = new CompletableFuture<ModelOutput>();
        var reader = Thread.ofVirtual().start(() -> {
            try {
                read.complete(mailbox.poll(LONG));
            } catch (InterruptedException e) {
                read.completeExceptionally(e);
            }
        });
        while (reader.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        // When
        mailbox.offer(hidden(7));
        // Then
        assertThat(read.get(5, TimeUnit.SECONDS)).isEqualTo(hidden(7));
    }

    private static ModelOutput hidden(int message) {
        return new ModelOutput.Hidden(message);
    }
}
