package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CueTest {
    @Test
    void aHashInACueIsAnyNumber() {
        assertThat(Cue.of("# * # = #", false).text())
                .isEqualTo(CueText.normal("100×150=15000").strip());
        assertThat(Cue.of("ongeveer #", true).text())
                .isEqualTo(CueText.normal("ongeveer 1.500").strip());
    }

    @Test
    void marksAroundACueAreNoPartOfIt() {
        assertThat(Cue.of("!wacht.", true)).isEqualTo(new Cue("wacht", false, 4));
        assertThat(Cue.of("?reken", true)).isEqualTo(new Cue("reken", true, 1));
    }
}
