package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A tokenizer without its vocabulary fails at once and says why, instead of answering with raw markup.
class VocabularyAvailabilityTest {
    @Test
    void aMissingVocabularyIsNoticedOnFirstUse() {
        assertThatThrownBy(() -> firstUse(null))
                .hasRootCauseMessage("vocabulary not on the class path: /com/knuddels/jtokkit/o200k_base.tiktoken");
    }

    @Test
    void anAlteredVocabularyIsRefused() {
        assertThatThrownBy(() -> firstUse("IQ== 0\n".getBytes()))
                .rootCause()
                .hasMessageStartingWith("vocabulary has SHA-256 ");
    }

    /// openai/harmony#46, openai/harmony#95, openai/harmony#101, vllm#22525, sglang#18074: the reference downloads its
    /// vocabulary.
    @Test
    void theVocabularyNeedsNoNetwork() {
        assertThat(Vocabulary.class.getResource("/com/knuddels/jtokkit/o200k_base.tiktoken"))
                .hasProtocol("jar");
        assertThat(HarmonyTokenizer.shared().vocabularySize()).isEqualTo(201_089);
    }

    /// Loads the library in a class loader of its own, with this vocabulary.
    private static void firstUse(byte @Nullable [] vocabulary) throws Exception {
        var classes =
                HarmonyTokenizer.class.getProtectionDomain().getCodeSource().getLocation();
        try (var loader = new Isolated(classes, vocabulary)) {
            loader.loadClass(HarmonyTokenizer.class.getName())
                    .getMethod("shared")
                    .invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static final class Isolated extends URLClassLoader {
        private final byte @Nullable [] vocabulary;

        Isolated(URL classes, byte @Nullable [] vocabulary) {
            super(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
            this.vocabulary = vocabulary;
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            return vocabulary == null ? null : new ByteArrayInputStream(vocabulary);
        }
    }
}
