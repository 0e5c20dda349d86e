package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Sizes and places as a C compiler gives them for `llama.h` of release v0.5.0.
class LlamaLayoutsTest {
    @Test
    void areLaidOutAsTheReleaseHasThem() {
        assertThat(LlamaLayouts.MODEL_PARAMS.byteSize()).isEqualTo(80);
        assertThat(LlamaLayouts.CONTEXT_PARAMS.byteSize()).isEqualTo(160);
        assertThat(LlamaLayouts.BATCH.byteSize()).isEqualTo(56);
        assertThat(LlamaLayouts.offset(LlamaLayouts.MODEL_PARAMS, "use_extra_bufts"))
                .isEqualTo(74);
        assertThat(LlamaLayouts.offset(LlamaLayouts.CONTEXT_PARAMS, "kv_unified"))
                .isEqualTo(133);
    }
}
