package dev.counterpoint.gateway.recovery;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.gateway.log.follow.FollowedPartition;
import dev.counterpoint.gateway.log.owner.Rings;
import dev.counterpoint.gateway.log.owner.WorkerVoice;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a new owner passes over, and what it follows.
@DisplayName("f5: the stretch of a new owner")
class StretchReaderTest {
    private static final ResponseId OTHER = new ResponseId(1_000, RESPONSE.partition(), 1, 1);
    private static final End END = new End(End.Finish.STOP, 10, 0, 5, 2, 0);
    private static final Rings RINGS = Rings.ofTests();

    private final StretchReader.Survey survey = new StretchReader.Survey(RINGS.gateway());
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private final WorkerVoice bert = new WorkerVoice(OTHER, 1, 0xB);
    private long end;

    @Test
    void beginsWithTheFirstResponseThatIsNotDone() {
        // When
        read(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.says(0, "hello"));
        read(WorkerVoice.frame(OTHER, accepted()), bert.fence(RINGS.worker()), anna.ends(END));
        // Then
        var left = left(Set.copyOf(survey.endedWithRow()));
        assertThat(left).isEqualTo(new FollowedPartition.Stretch(3, 6, Set.of(RESPONSE)));
    }

    @Test
    void keepsAResponseWhoseRowDoesNotSayItsEnd() {
        // When
        read(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        // Then
        assertThat(accepted().stored()).isTrue();
        assertThat(survey.endedWithRow()).containsExactly(RESPONSE);
        assertThat(left(Set.of())).isEqualTo(new FollowedPartition.Stretch(0, 3));
    }

    @Test
    void keepsAnOptedInResponseBecauseItsClosingIsTheOwners() {
        // When
        read(WorkerVoice.frame(accepted(ServiceRole.AUDIT)), anna.fence(RINGS.worker(), ServiceRole.AUDIT));
        read(anna.ends(END));
        // Then
        assertThat(left(Set.of(RESPONSE))).isEqualTo(new FollowedPartition.Stretch(0, 3));
    }

    @Test
    void believesNoEndThatDoesNotCount() {
        // When
        read(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), new WorkerVoice(1, 0xC).ends(END));
        // Then
        assertThat(survey.endedWithRow()).isEmpty();
    }

    @Test
    void isEmptyWhereAllIsDone() {
        read(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        assertThat(left(Set.of(RESPONSE)).isEmpty()).isTrue();
    }

    private FollowedPartition.Stretch left(Set<ResponseId> onRecord) {
        return survey.left(new FollowedPartition.Stretch(0, end), onRecord);
    }

    private void read(Frame... frames) {
        for (var frame : frames) {
            survey.accept(frame, end++);
        }
    }
}
