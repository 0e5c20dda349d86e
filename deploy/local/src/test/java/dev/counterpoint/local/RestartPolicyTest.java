package dev.counterpoint.local;

import static dev.counterpoint.local.RestartPolicy.Verdict.GIVE_UP;
import static dev.counterpoint.local.RestartPolicy.Verdict.RESTART;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(2);
    private static final Duration LATER = Duration.ofSeconds(10);

    private final RestartPolicy policy = new RestartPolicy();

    @Test
    void givesUpAfterThreeDeathsAtOnce() {
        assertThat(policy.ended(AT_ONCE)).isEqualTo(RESTART);
        assertThat(policy.ended(AT_ONCE)).isEqualTo(RESTART);
        assertThat(policy.ended(AT_ONCE)).isEqualTo(GIVE_UP);
    }

    @Test
    void forgetsEarlierDeathsWhenTheProcessRanForAWhile() {
        policy.ended(AT_ONCE);
        policy.ended(AT_ONCE);
        assertThat(policy.ended(LATER)).isEqualTo(RESTART);
        assertThat(policy.ended(AT_ONCE)).isEqualTo(RESTART);
    }

    @Test
    void startsAgainForeverWhatKeepsRunningForAWhile() {
        for (int death = 0; death < 100; death++) {
            assertThat(policy.ended(LATER)).isEqualTo(RESTART);
        }
    }
}
