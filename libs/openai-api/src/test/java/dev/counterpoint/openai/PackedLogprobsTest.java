package dev.counterpoint.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.openai.chat.ChatLogprobs;
import dev.counterpoint.openai.responses.EventLogprob;
import dev.counterpoint.openai.responses.OutputContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PackedLogprobsTest {
    private final Random random = new Random(7);

    @Test
    void whatIsPackedComesOutAsItWasInEveryForm() {
        for (int round = 0; round < 200; round++) {
            var plain = tokens(random.nextInt(8));
            var packed = packed(plain);

            assertThat(packed).isEqualTo(plain);
            assertThat(EventLogprob.of(packed)).isEqualTo(EventLogprob.of(plain));
            assertThat(ChatLogprobs.ofContent(packed)).isEqualTo(ChatLogprobs.ofContent(plain));
            assertThat(new OutputContent.OutputText("x", List.of(), packed))
                    .isEqualTo(new OutputContent.OutputText("x", List.of(), plain));
        }
    }

    @Test
    @DisplayName("M2 1,500 tokens with 20 alternatives each stay packed in whatever holds them, in less than 1 MB")
    void manyTakeLittle() {
        var packed = packed(tokens(1500));

        assertThat(((PackedLogprobs) packed).bytes()).isLessThan(1 << 20);
        assertThat(EventLogprob.of(packed)).isInstanceOf(LazyList.class);
        assertThat(new OutputContent.OutputText("x", List.of(), packed).logprobs())
                .isSameAs(packed);
        assertThat(ChatLogprobs.ofContent(packed).content()).isInstanceOf(LazyList.class);
    }

    @Test
    void whatIsAddedLaterDoesNotChangeAList() {
        var builder = new PackedLogprobs.Builder();
        builder.addAll(tokens(2));
        var before = builder.list();

        builder.addAll(tokens(1));

        assertThat(before).hasSize(2);
        assertThat(builder.list()).hasSize(3);
    }

    private static List<Logprob> packed(List<Logprob> tokens) {
        var builder = new PackedLogprobs.Builder();
        builder.addAll(tokens);
        return builder.list();
    }

    private List<Logprob> tokens(int count) {
        return IntStream.range(0, count).mapToObj(_ -> token()).toList();
    }

    private Logprob token() {
        var first = alternative();
        var top = IntStream.range(0, 20).mapToObj(_ -> alternative()).toList();
        return new Logprob(first.token(), first.logprob(), first.bytes(), top);
    }

    /// One in four is half a character: its bytes are not those of its text.
    private Logprob.Alternative alternative() {
        boolean half = random.nextInt(4) == 0;
        var text = half
                ? "\uFFFD"
                : random.ints(1 + random.nextInt(6), 'a', 0x3FF)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
        var bytes = half ? new byte[] {(byte) random.nextInt()} : text.getBytes(StandardCharsets.UTF_8);
        var unsigned = new ArrayList<Integer>();
        for (byte b : bytes) {
            unsigned.add(Byte.toUnsignedInt(b));
        }
        return new Logprob.Alternative(text, -random.nextDouble() * 20, unsigned);
    }
}
