package dev.counterpoint.worker.prompt;

import dev.counterpoint.harmony.Channels;
import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import dev.counterpoint.harmony.ToolNamespace;
import dev.counterpoint.worker.engine.TokenMask;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Makes the model call one of some functions: it reasons as long as it likes, and then only the header of a call may
/// follow. What the arguments are is the model's own; they end in `<|call|>`. Not thread-safe.
public final class ForcedCall implements TokenMask {
    private static final long[] IN_ANALYSIS = allBut(
            SpecialTokens.CALL,
            SpecialTokens.RETURN,
            SpecialTokens.END_OF_TEXT,
            SpecialTokens.START,
            SpecialTokens.CHANNEL,
            SpecialTokens.MESSAGE);
    private static final long[] IN_ARGUMENTS = allBut(
            SpecialTokens.END,
            SpecialTokens.RETURN,
            SpecialTokens.END_OF_TEXT,
            SpecialTokens.START,
            SpecialTokens.CHANNEL,
            SpecialTokens.MESSAGE);

    private enum Stage {
        ANALYSIS_HEADER,
        ANALYSIS,
        CALL_HEADER,
        ARGUMENTS
    }

    private static final int[] ANALYSIS_HEADER =
            join(new int[] {SpecialTokens.CHANNEL}, HarmonyTokenizer.shared().encode(Channels.ANALYSIS), new int[] {
                SpecialTokens.MESSAGE
            });

    private final List<int[]> callHeaders;
    private Stage stage = Stage.ANALYSIS_HEADER;
    private List<int[]> candidates = List.of(ANALYSIS_HEADER);
    private int position;

    /// @param functions names of which one must be called; at least one
    public ForcedCall(Collection<String> functions) {
        if (functions.isEmpty()) {
            throw new IllegalArgumentException("no function to call");
        }
        callHeaders = functions.stream().map(ForcedCall::callHeader).toList();
    }

    /// As the model itself writes it.
    private static int[] callHeader(String function) {
        var tokenizer = HarmonyTokenizer.shared();
        return join(
                new int[] {SpecialTokens.START},
                tokenizer.encode("assistant"),
                new int[] {SpecialTokens.CHANNEL},
                tokenizer.encode(Channels.COMMENTARY + " to=" + ToolNamespace.FUNCTIONS + "." + function + " "),
                new int[] {SpecialTokens.CONSTRAIN},
                tokenizer.encode("json"),
                new int[] {SpecialTokens.MESSAGE});
    }

    @Override
    public long @Nullable [] allowed() {
        return switch (stage) {
            case ANALYSIS -> IN_ANALYSIS;
            case ARGUMENTS -> IN_ARGUMENTS;
            case ANALYSIS_HEADER, CALL_HEADER -> nextOfCandidates();
        };
    }

    private long[] nextOfCandidates() {
        var next =
                candidates.stream().mapToInt(candidate -> candidate[position]).toArray();
        var allowed = new long[(IntStream.of(next).max().orElseThrow() >> 6) + 1];
        for (int token : next) {
            allowed[token >> 6] |= 1L << token;
        }
        return allowed;
    }

    @Override
    public void accept(int token) {
        if (!TokenMask.allows(allowed(), token)) {
            throw new IllegalArgumentException("a token that the forced call does not allow");
        }
        switch (stage) {
            case ANALYSIS -> {
                if (token == SpecialTokens.END) {
                    enter(Stage.CALL_HEADER, callHeaders);
                }
            }
            case ARGUMENTS -> {}
            case ANALYSIS_HEADER, CALL_HEADER -> follow(token);
        }
    }

    private void follow(int token) {
        int at = position;
        candidates =
                candidates.stream().filter(candidate -> candidate[at] == token).toList();
        position++;
        // A name that begins another one ends where its header does: the blank after the name tells them apart.
        if (candidates.getFirst().length == position) {
            enter(stage == Stage.CALL_HEADER ? Stage.ARGUMENTS : Stage.ANALYSIS, List.of());
        }
    }

    private void enter(Stage next, List<int[]> sequences) {
        stage = next;
        candidates = sequences;
        position = 0;
    }

    private static long[] allBut(int... tokens) {
        var allowed = new long[(HarmonyTokenizer.shared().vocabularySize() + 63) >> 6];
        IntStream.range(0, HarmonyTokenizer.shared().vocabularySize())
                .forEach(token -> allowed[token >> 6] |= 1L << token);
        for (int token : tokens) {
            allowed[token >> 6] &= ~(1L << token);
        }
        return allowed;
    }

    private static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(IntStream::of).toArray();
    }
}
