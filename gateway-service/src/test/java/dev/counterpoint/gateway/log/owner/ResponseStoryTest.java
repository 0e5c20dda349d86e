package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.ResponseStory;
import dev.counterpoint.gateway.log.replay.LogReplays;
import dev.counterpoint.gateway.log.replay.ReplayLoop;
import dev.counterpoint.openai.json.WireJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResponseStoryTest {
    private static final long AT = RESPONSE.acceptedAtMillis() + 1;
    private static final Rings RINGS = Rings.ofTests();

    private final ReplayedLog log = new ReplayedLog();
    private final ReplayLoop loop = new ReplayLoop(() -> log);
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private final WorkerVoice bert = new WorkerVoice(2, 0xB);
    private Instant now = Instant.ofEpochMilli(RESPONSE.acceptedAtMillis());

    @Test
    void namesAttemptsWorkersTokensAndTheSummary() throws InterruptedException {
        // Given
        var frames = List.of(
                WorkerVoice.frame(WorkerVoice.acceptedWithSummary()),
                anna.fence(RINGS.worker()),
                anna.thinks(0, "secret thought"),
                new WorkerVoice(1, 0xC).fence(RINGS.worker()),
                WorkerVoice.reissue(2),
                bert.fence(RINGS.worker()),
                anna.says(1, "void"),
                bert.says(1, "secret answer"),
                anna.sumsUp(0, 0, "A secret sentence."),
                anna.summedUp(1, 0),
                bert.ends(new End(End.Finish.STOP, 7, 3, 5, 2, 0)));
        frames.forEach(log::append);
        // When
        var story = story();
        // Then
        assertThat(story.attempts())
                .extracting(
                        ResponseStory.Attempt::number,
                        ResponseStory.Attempt::outcome,
                        ResponseStory.Attempt::reasoningFrames,
                        ResponseStory.Attempt::textFrames,
                        ResponseStory.Attempt::closedAtMs)
                .containsExactly(tuple(1, "lost", 1, 0, AT), tuple(2, "ended", 0, 1, AT));
        assertThat(story.attempts())
                .extracting(ResponseStory.Attempt::worker)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(story.losingFences()).isEqualTo(1);
        assertThat(story.voidFrames()).isEqualTo(2);
        assertThat(story.ending()).isEqualTo("stop");
        assertThat(story.tokens()).isEqualTo(new ResponseStory.Tokens(7, 3, 2, 3));
        assertThat(story.summary()).extracting("parts", "sentences", "outcome").containsExactly(1, 1, "complete");
        assertThat(WireJson.write(story)).doesNotContain("secret");
    }

    @Test
    void endsWhereTheLogEndsWhileTheResponseRuns() throws InterruptedException {
        log.append(WorkerVoice.frame(WorkerVoice.accepted()));

        assertThat(story().attempts())
                .extracting(ResponseStory.Attempt::outcome)
                .containsExactly("queued");
        log.append(anna.fence(RINGS.worker()));
        assertThat(story().attempts())
                .extracting(ResponseStory.Attempt::outcome)
                .containsExactly("running");
        log.append(anna.handover());
        assertThat(story().attempts())
                .extracting(ResponseStory.Attempt::outcome)
                .containsExactly("handed_over");
        assertThat(story().ending()).isNull();
        log.append(WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED));
        assertThat(story().ending()).isEqualTo("cancelled");
        assertThat(story().endedAtMs()).isEqualTo(AT);
        assertThat(story().tokens()).isNull();
    }

    @Test
    void isGoneWithTheFrames() {
        assertThatThrownBy(this::story).isInstanceOf(Replays.GoneException.class);

        log.append(WorkerVoice.frame(WorkerVoice.accepted()));
        now = now.plus(Duration.ofHours(2));

        assertThatThrownBy(this::story).isInstanceOf(Replays.GoneException.class);
    }

    private ResponseStory story() throws InterruptedException {
        var replays = new LogReplays(
                TestStreamSettings.defaults(), new LogReplays.Log(loop, log), RINGS.gateway(), () -> now);
        return replays.story(RESPONSE);
    }

    @AfterEach
    void close() {
        loop.close();
    }
}
