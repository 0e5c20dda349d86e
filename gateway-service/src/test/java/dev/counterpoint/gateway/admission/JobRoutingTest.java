package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Assistant;
import dev.counterpoint.bus.job.PromptItem.Illustrated;
import dev.counterpoint.bus.job.PromptItem.Instructions;
import dev.counterpoint.bus.job.PromptItem.User;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobRoutingTest {
    private static final PromptItem RULES = new Instructions("Be brief.");
    private static final PromptItem HELLO = new User("Hello");

    @Test
    void allTurnsOfAConversationHaveOnePrefix() {
        var first = JobRouting.prefix(List.of(RULES, HELLO));
        var later = JobRouting.prefix(List.of(RULES, HELLO, new Assistant("Hi", false), new User("More")));

        assertThat(later).isEqualTo(first);
    }

    @Test
    void otherInstructionsOrAnotherFirstMessageMakeAnother() {
        assertThat(List.of(
                        JobRouting.prefix(List.of(RULES, HELLO)),
                        JobRouting.prefix(List.of(HELLO)),
                        JobRouting.prefix(List.of(RULES, new User("Hello!"))),
                        JobRouting.prefix(List.of(new Instructions("Be long."), HELLO)),
                        JobRouting.prefix(List.of(
                                RULES, new Illustrated(List.of(Illustrated.Part.text("A cat."))))),
                        JobRouting.prefix(List.of(RULES)),
                        JobRouting.prefix(List.of())))
                .doesNotHaveDuplicates();
    }

    /// Gateways of any version agree.
    @Test
    void aPrefixNeverChanges() {
        assertThat(JobRouting.prefix(List.of(RULES, HELLO))).isEqualTo(0L);
    }
}
