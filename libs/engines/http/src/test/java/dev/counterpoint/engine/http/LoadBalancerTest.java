package dev.counterpoint.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.http.ServerFailure.Kind;
import dev.counterpoint.engine.http.UpstreamServer.Pulse;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadBalancerTest {
    private static final long HOUR = 3_600_000_000_000L;

    @Test
    void leavesAServerOutAtOnceWhenNobodyIsThere() {
        var replica = replica(0);

        assertThat(replica.failed(Kind.UNREACHABLE, 0)).isTrue();
        assertThat(replica.usable()).isFalse();
    }

    @Test
    void leavesAServerOutAfterSomeFailuresInARow() {
        var replica = replica(0);
        for (int i = 1; i < UpstreamServer.FAILURES_MAX; i++) {
            assertThat(replica.failed(Kind.BROKEN, 0)).isFalse();
        }
        replica.succeeded();
        for (int i = 1; i < UpstreamServer.FAILURES_MAX; i++) {
            assertThat(replica.failed(Kind.BROKEN, 0)).isFalse();
        }
        assertThat(replica.failed(Kind.MISTAKE, 0)).as("its request was wrong").isFalse();

        assertThat(replica.failed(Kind.WRONG, 0)).isTrue();
    }

    @Test
    void asksLessAndLessOftenAfterOneThatIsOut() {
        var replica = replica(0);
        assertThat(replica.due(0)).isTrue();
        assertThat(replica.due(0)).as("while it is being asked").isFalse();
        assertThat(replica.answered(Pulse.ILL, 0)).isTrue();
        long now = 0;
        long backoff = UpstreamServer.BACKOFF_MIN_NANOS;
        for (int i = 0; i < 10; i++) {
            assertThat(replica.due(now + backoff - 1)).isFalse();
            now += backoff;
            assertThat(replica.due(now)).isTrue();
            assertThat(replica.answered(Pulse.ILL, now)).isFalse();
            backoff = Math.min(2 * backoff, UpstreamServer.BACKOFF_MAX_NANOS);
        }
        assertThat(backoff).isEqualTo(UpstreamServer.BACKOFF_MAX_NANOS);

        assertThat(replica.due(now + backoff)).isTrue();
        assertThat(replica.answered(Pulse.WELL, now + backoff)).isTrue();
        assertThat(replica.usable()).isTrue();
    }

    @Test
    void staysWithAServerThatIsLateUnlessNothingIsHeardOfItThreeTimes() {
        // Given: SGLang's `/health` answers nothing while it computes a long prompt (0.5.23, `health_generate` in
        // `entrypoints/http_server.py`)
        var replica = replica(0);
        for (int i = 0; i < 2 * UpstreamServer.MISSES_MAX; i++) {
            assertThat(replica.answered(Pulse.NONE, 0)).isFalse();
            replica.heard();
        }
        assertThat(replica.answered(Pulse.NONE, 0)).isFalse();
        assertThat(replica.answered(Pulse.NONE, 0)).isFalse();
        // Then
        assertThat(replica.answered(Pulse.NONE, 0)).isTrue();
        assertThat(replica.usable()).isFalse();
    }

    @Test
    void leavesAServerOutAtOnceThatRefusesItsWorkAndTakesItBackWhenItIsMended() {
        var replica = replica(0);
        assertThat(replica.failed(Kind.UNFIT, 0)).isTrue();

        assertThat(replica.unexamined()).isTrue();
        assertThat(replica.examined("wants a key", 1)).isTrue();
        assertThat(replica.examined("wants a key", 2)).as("said already").isFalse();
        assertThat(replica.usable()).isFalse();
        assertThat(replica.examined(null, 3)).isTrue();
        assertThat(replica.usable()).isTrue();
        assertThat(replica.unexamined()).isFalse();
    }

    @Test
    void sendsWhatBeginsAlikeToTheSameServerUnlessThatHasMuchMoreToDo() {
        var replicas = replicas();
        var chosen = take(replicas, 42, Set.of());
        // As many as the limit of a mean load of one and a third allows.
        for (int i = 0; i < 3; i++) {
            assertThat(take(replicas, 42, Set.of())).isSameAs(chosen);
        }
        var other = take(replicas, 42, Set.of());
        assertThat(other).isNotSameAs(chosen);
        assertThat(take(replicas, 42, Set.of(chosen, other))).isNotIn(chosen, other);

        chosen.end();
        assertThat(take(replicas, 43, Set.of(other))).isNotSameAs(other);
    }

    @Test
    void spreadsWhatBeginsDifferently() {
        var replicas = replicas();
        var counts = new HashMap<UpstreamServer, Integer>();
        for (int i = 0; i < 3000; i++) {
            var taken = take(replicas, i, Set.of());
            taken.end();
            counts.merge(taken, 1, Integer::sum);
        }
        assertThat(counts.values()).hasSize(3).allMatch(count -> count > 600);
    }

    @Test
    void hasNoneToGiveWhenAllAreOut() {
        var out = out(replica(HOUR));

        assertThat(new LoadBalancer(List.of(out)).take(prompt(1), Set.of())).isNull();
        assertThat(out.ready()).isFalse();
    }

    private static UpstreamServer out(UpstreamServer replica) {
        replica.failed(Kind.UNREACHABLE, System.nanoTime() + HOUR);
        return replica;
    }

    private static UpstreamServer take(LoadBalancer replicas, int beginning, Set<UpstreamServer> not) {
        return Objects.requireNonNull(replicas.take(prompt(beginning), not));
    }

    private static PromptPrefix prompt(int beginning) {
        return PromptPrefix.of("", IntStream.range(beginning, beginning + 200).toArray());
    }

    private static LoadBalancer replicas() {
        return new LoadBalancer(IntStream.range(0, 3)
                .mapToObj(i -> new UpstreamServer(URI.create("http://server-" + i), HOUR, HOUR))
                .toList());
    }

    private static UpstreamServer replica(long askAtNanos) {
        return new UpstreamServer(URI.create("http://server"), HOUR, askAtNanos);
    }
}
