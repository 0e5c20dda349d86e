package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.Mailbox;
import dev.counterpoint.gateway.log.follow.ReaderHandle;
import dev.counterpoint.gateway.log.replay.LogReplays;
import dev.counterpoint.gateway.log.replay.ReplayFeed;
import dev.counterpoint.gateway.log.replay.ReplayLoop;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogReplayTest {
    private static final ResponseId ANOTHER = new ResponseId(1_000, RESPONSE.partition(), 1, 1);
    private static final End END = new End(End.Finish.STOP, 1, 0, 2, 0, 0);

    private static final Rings RINGS = Rings.ofTests();

    private final ReplayedLog log = new ReplayedLog();
    /// Every consumer that was asked for.
    private final List<ReplayedLog> readers = new CopyOnWriteArrayList<>();
    private ReplayLoop loop = new ReplayLoop(() -> log);
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private Instant now = Instant.ofEpochMilli(RESPONSE.acceptedAtMillis());

    @Test
    void saysWhatTheFollowingLoopTellsItsOwnReader() throws InterruptedException {
        // Given
        var accepted = WorkerVoice.acceptedWithSummary();
        var bert = new WorkerVoice(2, 0xB);
        var frames = List.of(
                WorkerVoice.frame(accepted),
                anna.fence(RINGS.worker()),
                anna.thinks(0, "so"),
                anna.says(1, "held back by the summary"),
                WorkerVoice.reissue(2),
                bert.fence(RINGS.worker()),
                anna.says(1, "void"),
                bert.says(1, " and more"),
                anna.sumsUp(0, 0, "A sentence."),
                anna.summedUp(1, 0),
                bert.ends(END));
        frames.forEach(log::append);
        // When
        var replayed = readAll(open());
        // Then
        assertThat(replayed)
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(told(accepted, frames))
                .hasSize(6)
                .endsWith(new ModelOutput.Finished(END));
    }

    @Test
    void othersOnThePartitionAreNotHeard() throws InterruptedException {
        // Given
        var other = new WorkerVoice(ANOTHER, 1, 0xB);
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        log.append(other.fence(RINGS.worker()));
        log.append(WorkerVoice.frame(accepted()));
        log.append(other.says(0, "not yours"));
        log.append(anna.fence(RINGS.worker()));
        log.append(new byte[] {1, 2, 3});
        log.append(anna.says(0, "yours"));
        log.append(other.ends(END));
        log.append(anna.ends(END));
        // When
        var replayed = readAll(open());
        // Then
        assertThat(replayed).extracting(WorkerVoice::text).containsExactly("yours", null);
    }

    @Test
    void aResponseThatRunsIsFollowed() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        log.append(anna.fence(RINGS.worker()));
        var replay = open();
        assertThat(replay.next(0)).isNull();
        // When
        log.append(anna.ends(END));
        // Then
        assertThat(replay.next(1_000)).isEqualTo(new ModelOutput.Finished(END));
    }

    @Test
    void whatTheReaderDidNotAskForStaysInTheLog() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        log.append(anna.fence(RINGS.worker()));
        var replay = open();
        for (int i = 0; i < 5_000; i++) {
            log.append(anna.says(0, "word"));
        }
        // When
        replay.next(10_000);
        // Then
        int kept = ReplayFeed.BYTES_MAX / anna.says(0, "word").encode().length;
        assertThat(log.handedOut()).isLessThanOrEqualTo(kept + 3 * ReplayedLog.BATCH);
    }

    @Test
    void whatBeganBeforeTheWindowIsGone() {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        now = now.plus(Duration.ofHours(1)).plusMillis(1);
        // Then
        assertThatThrownBy(() -> open()).isInstanceOf(Replays.GoneException.class);
    }

    @Test
    void whatTheBusNoLongerHasIsGoneAndFreesItsPlace() {
        // Given
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        var replays = replays(1);
        // Then
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.GoneException.class);
        }
    }

    @Test
    void whetherAResponseWasAcceptedIsKnownForAsLongAsTheBusKeepsIt() throws InterruptedException {
        // Given
        now = now.plus(Duration.ofHours(1)).plusMillis(1);
        var replays = replays(1);
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        log.append(anna.fence(RINGS.worker()));
        // Then
        assertThat(replays.accepted(RESPONSE, 0)).isFalse();
        log.append(WorkerVoice.frame(accepted()));
        assertThat(replays.accepted(RESPONSE, 10_000)).isTrue();
        assertThat(replays.accepted(RESPONSE, 10_000))
                .as("the place is free again")
                .isTrue();
    }

    @Test
    void aBusThatDoesNotAnswerSaysNothingOfWhatWasAccepted() {
        log.away = true;
        var replays = replays(1);
        assertThatThrownBy(() -> replays.accepted(RESPONSE, 0)).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void asManyReplaysAsThereMayBeAndOneMoreWhenOneIsClosed() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        var replays = replays(2);
        replays.open(RESPONSE, 0);
        var second = replays.open(RESPONSE, 0);
        assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.BusyException.class);
        // When
        second.close();
        second.close();
        // Then
        assertThat(second.next(10_000)).isNull();
        assertThat(replays.open(RESPONSE, TimeUnit.SECONDS.toMillis(10))).isNotNull();
        assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.BusyException.class);
    }

    @Test
    @DisplayName("f2: 200 resumes at once are all served, by one reader")
    void oneReaderServesTwoHundredReplays() throws Exception {
        // Given 10 responses, one among the other
        var voices = new ArrayList<WorkerVoice>();
        for (int i = 0; i < 10; i++) {
            var id = new ResponseId(1_000, RESPONSE.partition(), 2, i);
            voices.add(new WorkerVoice(id, 1, i));
            log.append(WorkerVoice.frame(id, accepted()));
            log.append(voices.get(i).fence(RINGS.worker()));
        }
        for (int word = 0; word < 20; word++) {
            voices.forEach(voice -> log.append(voice.says(0, "word")));
        }
        // When each is read 20 times at once, and ends meanwhile
        var replays = new LogReplays(TestStreamSettings.defaults(), reading(), RINGS.gateway(), () -> now);
        var opened = new ArrayList<Replays.Replay>();
        for (int i = 0; i < 200; i++) {
            opened.add(replays.open(new ResponseId(1_000, RESPONSE.partition(), 2, i % 10), 0));
        }
        voices.forEach(voice -> log.append(voice.ends(END)));
        // Then
        for (var replay : opened) {
            assertThat(readAll(replay)).hasSize(21);
        }
        assertThat(readers).hasSize(1);
    }

    @Test
    @DisplayName("f13: the owner's record of an opted-in response is read from the log, not kept in memory")
    void theReasoningOfAResponseIsReadFromItsLog() throws Exception {
        // Given an opted-in response that its owner ended, one among others
        var accepted = accepted(ServiceRole.AUDIT);
        var trust = Objects.requireNonNull(LogTrust.of(WorkerVoice.frame(accepted), RINGS.gateway()));
        var followed = new FollowedResponse(trust, 0, accepted, new ReaderHandle(new Mailbox(16)));
        var fence = anna.fence(RINGS.worker(), ServiceRole.AUDIT);
        var thoughts = List.of(anna.thinks(0, "so"), anna.thinks(0, "on"));
        var end = WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED);
        for (var frame : List.of(
                WorkerVoice.frame(accepted),
                WorkerVoice.frame(ANOTHER, accepted),
                fence,
                thoughts.getFirst(),
                thoughts.getLast(),
                anna.says(1, "42"),
                end,
                anna.thinks(1, "too late"))) {
            followed.isNews(log.end(0));
            followed.accept(frame, 0);
            log.append(frame);
        }
        // When
        var told = new CompletableFuture<List<byte[]>>();
        new OwnerTraces(reading().loop(), RINGS.gateway()).read(followed, told::complete);
        // Then
        assertThat(told.get(10, TimeUnit.SECONDS).stream().map(Frame::decode))
                .containsExactly(fence, thoughts.getFirst(), thoughts.getLast());
    }

    @Test
    @DisplayName("f2: clients leave room for the gateway's own work")
    void theGatewaysOwnWorkHasItsPlaces() throws Exception {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        var replays = replays(1);
        replays.open(RESPONSE, 0);
        assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.BusyException.class);
        // Then
        assertThat(replays.accepted(RESPONSE, 0)).isTrue();
        assertThat(replays.complete(RESPONSE, 0).id()).isEqualTo(RESPONSE);
    }

    @Test
    void oneWhoseReaderIsSlowHoldsUpNoOther() throws Exception {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        log.append(anna.fence(RINGS.worker()));
        var replays = replays(2);
        var slow = replays.open(RESPONSE, 0);
        var quick = replays.open(RESPONSE, 0);
        for (int i = 0; i < 5_000; i++) {
            log.append(anna.says(0, "word"));
        }
        log.append(anna.ends(END));
        // Then
        assertThat(readAll(quick)).hasSize(5_001);
        assertThat(readAll(slow)).hasSize(5_001);
    }

    private Replays.Replay open() throws InterruptedException {
        return replays(1).open(RESPONSE, 0);
    }

    private LogReplays replays(int most) {
        var settings = TestStreamSettings.with(Map.of("gateway.stream.replay-readers", Integer.toString(most)));
        return new LogReplays(settings, reading(), RINGS.gateway(), () -> now);
    }

    private LogReplays.Log reading() {
        loop = new ReplayLoop(() -> {
            readers.add(log);
            return log;
        });
        return new LogReplays.Log(loop, log);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static List<ModelOutput> told(Accepted accepted, List<Frame> frames) {
        var trust = Objects.requireNonNull(LogTrust.of(frames.getFirst(), RINGS.gateway()));
        var followed = new FollowedResponse(trust, 0, accepted, new ReaderHandle(new Mailbox(16)));
        return frames.stream()
                .flatMap(frame -> followed.accept(frame, 0).stream())
                .toList();
    }

    private static List<ModelOutput> readAll(Replays.Replay replay) throws InterruptedException {
        var all = new ArrayList<ModelOutput>();
        do {
            all.add(requireNonNull(replay.next(10_000)));
        } while (!(all.getLast() instanceof ModelOutput.Finished));
        return all;
    }
}
