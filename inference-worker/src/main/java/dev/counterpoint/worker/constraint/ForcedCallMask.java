package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// For engines that obey only masks of few tokens (see [TurnMask] for others): makes the model call one of some
/// functions: it reasons as long as it likes, and then only the header of a call may follow. The arguments are
/// free; they end in `<|call|>`. Not thread-safe.
final class ForcedCallMask implements TokenMask {
    private static final long[] IN_ANALYSIS = TokenSets.allBut(
            SpecialTokens.CALL,
            SpecialTokens.RETURN,
            SpecialTokens.END_OF_TEXT,
            SpecialTokens.START,
            SpecialTokens.CHANNEL,
            SpecialTokens.MESSAGE);
    private static final long[] IN_ARGUMENTS = TokenSets.allBut(
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

    private static final int[] ANALYSIS_HEADER = TokenSets.join(
            new int[] {SpecialTokens.CHANNEL},
            HarmonyTokenizer.shared().encode(Channels.ANALYSIS),
            new int[] {SpecialTokens.MESSAGE});
    private static final int[] NEXT_MESSAGE = TokenSets.join(
            new int[] {SpecialTokens.START}, HarmonyTokenizer.shared().encode("assistant"));

    private static final int[] JSON_TYPE = TokenSets.join(
            new int[] {SpecialTokens.CONSTRAIN}, HarmonyTokenizer.shared().encode("json"));

    private static final int[] EMPTY_CALL =
            TokenSets.join(HarmonyTokenizer.shared().encode("{}"), new int[] {SpecialTokens.CALL});

    private final List<int[]> callHeaders;
    private Stage stage;
    private TokenSets.Candidates candidates;

    ForcedCallMask(TurnRules rules) {
        callHeaders = rules.calls().stream().map(ForcedCallMask::callHeader).toList();
        boolean reasons = rules.reasons();
        stage = reasons ? Stage.ANALYSIS_HEADER : Stage.CALL_HEADER;
        candidates = new TokenSets.Candidates(reasons ? List.of(ANALYSIS_HEADER) : callHeaders);
    }

    /// As the model itself writes it, from the channel on.
    private static int[] callHeader(TurnRules.Call call) {
        var tokenizer = HarmonyTokenizer.shared();
        return TokenSets.join(
                new int[] {SpecialTokens.CHANNEL},
                // The blank after the name distinguishes a name from a longer one with the same beginning.
                tokenizer.encode(Channels.COMMENTARY + " to=" + call.recipient() + " "),
                call.tool().input() == null ? JSON_TYPE : new int[0],
                new int[] {SpecialTokens.MESSAGE});
    }

    @Override
    public long @Nullable [] allowed() {
        return switch (stage) {
            case ANALYSIS -> IN_ANALYSIS;
            case ARGUMENTS -> IN_ARGUMENTS;
            case ANALYSIS_HEADER, CALL_HEADER -> candidates.allowed();
        };
    }

    @Override
    public int @Nullable [] ending() {
        return switch (stage) {
            case ANALYSIS_HEADER, ANALYSIS -> null;
            case CALL_HEADER -> TokenSets.join(candidates.first(), EMPTY_CALL);
            case ARGUMENTS -> EMPTY_CALL;
        };
    }

    @Override
    public void accept(int token) {
        if (!TokenMask.allows(allowed(), token)) {
            throw new IllegalArgumentException("a token that the forced call does not allow");
        }
        switch (stage) {
            case ANALYSIS -> {
                if (token == SpecialTokens.END) {
                    stage = Stage.CALL_HEADER;
                    candidates = new TokenSets.Candidates(callHeaders.stream()
                            .map(header -> TokenSets.join(NEXT_MESSAGE, header))
                            .toList());
                }
            }
            case ARGUMENTS -> {}
            case ANALYSIS_HEADER, CALL_HEADER -> {
                if (candidates.follow(token)) {
                    stage = stage == Stage.CALL_HEADER ? Stage.ARGUMENTS : Stage.ANALYSIS;
                }
            }
        }
    }
}
