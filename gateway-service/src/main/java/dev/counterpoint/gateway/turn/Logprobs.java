package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.openai.Logprob;
import java.util.List;
import java.util.stream.IntStream;

/// Log probabilities as the wire has them.
public final class Logprobs {
    private Logprobs() {}

    public static List<Logprob> of(Delta delta) {
        return delta.logprobs().stream().map(Logprobs::of).toList();
    }

    private static Logprob of(Delta.TokenLogprob token) {
        var top = token.top().stream()
                .map(other -> new Logprob.Alternative(other.text(), other.logprob(), unsigned(other.bytes())))
                .toList();
        return new Logprob(token.text(), token.logprob(), unsigned(token.bytes()), top);
    }

    private static List<Integer> unsigned(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .mapToObj(index -> Byte.toUnsignedInt(bytes[index]))
                .toList();
    }
}
