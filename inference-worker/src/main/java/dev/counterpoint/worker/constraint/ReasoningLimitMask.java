package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends the analysis at its token limit: closes the message and then allows only channels other than analysis. A
/// limit of 0 forbids analysis from the start. Headers do not count.
///
/// Works beside another mask: both must allow a token. Not thread-safe.
final class ReasoningLimitMask implements TokenMask {
    private static final int[] ROLE = HarmonyTokenizer.shared().encode("assistant");
    private static final int[] TO_CHANNEL = {SpecialTokens.CHANNEL};
    private static final int[] NEXT_HEADER =
            TokenSets.join(new int[] {SpecialTokens.START}, ROLE, new int[] {SpecialTokens.CHANNEL});
    private static final int[] CUT = TokenSets.join(new int[] {SpecialTokens.END}, NEXT_HEADER);
    private static final List<int[]> OPEN_CHANNELS = List.of(
            HarmonyTokenizer.shared().encode(Channels.FINAL),
            HarmonyTokenizer.shared().encode(Channels.COMMENTARY));
    /// Tokens that may stand right after a channel's name without making it another name.
    private static final long[] AFTER_CHANNEL = TokenSets.where(token -> token == SpecialTokens.MESSAGE
            || token == SpecialTokens.CONSTRAIN
            || (!SpecialTokens.isSpecial(token) && HarmonyTokenizer.shared().bytes(token)[0] == ' '));
    private static final long[] IN_HEADER = TokenSets.where(token ->
            token == SpecialTokens.MESSAGE || token == SpecialTokens.CONSTRAIN || !SpecialTokens.isSpecial(token));
    private static final long[] IN_BODY =
            TokenSets.allBut(SpecialTokens.START, SpecialTokens.CHANNEL, SpecialTokens.MESSAGE);

    private enum Stage {
        /// The limit is not reached: anything goes.
        REASONING,
        /// The way to the next channel is given.
        FORCED,
        CHANNEL,
        AFTER_CHANNEL,
        HEADER,
        BODY
    }

    private final int max;
    private final TokenMask beside;
    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private Stage stage = Stage.REASONING;
    private TokenSets.Candidates way = new TokenSets.Candidates(List.of());
    private boolean inAnalysis;
    private int used;

    /// @param max tokens of analysis over the whole answer, at least 0
    /// @param beside another mask, fresh
    ReasoningLimitMask(int max, TokenMask beside) {
        this.max = max;
        this.beside = beside;
        if (max == 0) {
            force(TO_CHANNEL);
        }
    }

    @Override
    public long @Nullable [] allowed() {
        var own = own();
        var others = beside.allowed();
        if (own == null || others == null) {
            return own == null ? others : own;
        }
        return TokenSets.both(own, others);
    }

    @Override
    public boolean takes(int token) {
        return TokenMask.allows(own(), token) && beside.takes(token);
    }

    @Override
    public @Nullable String rest(GrammarNotation notation) {
        return beside.rest(notation);
    }

    @Override
    public void cancel() {
        beside.cancel();
    }

    private long @Nullable [] own() {
        return switch (stage) {
            case REASONING -> null;
            case FORCED, CHANNEL -> way.allowed();
            case AFTER_CHANNEL -> AFTER_CHANNEL;
            case HEADER -> IN_HEADER;
            case BODY -> IN_BODY;
        };
    }

    @Override
    public void accept(int token) {
        if (!TokenMask.allows(own(), token)) {
            throw new IllegalArgumentException("a token that the limit of reasoning does not allow");
        }
        beside.accept(token);
        switch (stage) {
            case REASONING -> reason(token);
            case FORCED -> {
                if (way.follow(token)) {
                    stage = Stage.CHANNEL;
                    way = new TokenSets.Candidates(OPEN_CHANNELS);
                }
            }
            case CHANNEL -> {
                if (way.follow(token)) {
                    stage = Stage.AFTER_CHANNEL;
                }
            }
            case AFTER_CHANNEL, HEADER -> stage = token == SpecialTokens.MESSAGE ? Stage.BODY : Stage.HEADER;
            case BODY -> {
                if (token == SpecialTokens.END) {
                    force(NEXT_HEADER);
                }
            }
        }
    }

    @Override
    public int @Nullable [] ending() {
        return beside.ending();
    }

    private void reason(int token) {
        boolean before = inAnalysis;
        parser.accept(token, this::take);
        if (before && inAnalysis && ++used == max) {
            force(CUT);
        }
    }

    private void take(HarmonyEvent event) {
        switch (event) {
            case HarmonyEvent.MessageStarted started ->
                inAnalysis = Channels.ANALYSIS.equals(started.channel()) && started.recipient() == null;
            case HarmonyEvent.MessageEnded _ -> inAnalysis = false;
            case HarmonyEvent.TextDelta _, HarmonyEvent.Repaired _ -> {}
        }
    }

    private void force(int[] tokens) {
        stage = Stage.FORCED;
        way = new TokenSets.Candidates(List.of(tokens));
    }
}
