package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Says a [Plan], token by token. Where a mask forbids it, the speaker takes the plan's answer alone, the next
/// message of the plan, or the ending that the mask knows, in this order.
final class PlanSpeaker implements TokenSpeaker {
    /// Searches for an ending without success; each may cost as much as a mask may.
    private static final int MISSED_MAX = 3;
    private static final int[] ENDS = {
        SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END, SpecialTokens.MESSAGE
    };

    private final int[] answer;
    private final TokenMask mask;
    private int[] line;
    private int at;
    /// The line that the last choice begins, if it left the one before.
    private int @Nullable [] turning;
    /// Tokens of [#answer] that the open message is; -1 when it is another one.
    private int answered = -1;
    private int missed;

    PlanSpeaker(Plan plan, int[] opening, TokenMask mask) {
        answer = plan.answer();
        this.mask = mask;
        line = plan.behind(opening);
        answered = opening.length > 0 ? 0 : -1;
        IntStream.of(opening).forEach(this::follow);
    }

    @Override
    public int choose(IntPredicate allowed, long @Nullable [] set) {
        turning = allowed.test(line[at]) ? null : otherLine(allowed, set);
        if (turning != null || allowed.test(line[at])) {
            return turning == null ? line[at] : turning[0];
        }
        int size = HarmonyTokenizer.shared().vocabularySize();
        var all = set == null
                ? IntStream.range(0, size)
                : BitSet.valueOf(set).stream().filter(token -> token < size);
        return IntStream.concat(IntStream.of(ENDS), all)
                .filter(allowed)
                .findFirst()
                .orElse(-1);
    }

    private int @Nullable [] otherLine(IntPredicate allowed, long @Nullable [] set) {
        if (answered >= 0 && answered < answer.length && allowed.test(answer[answered])) {
            return Arrays.copyOfRange(answer, answered, answer.length);
        }
        // Without a mask only some tokens are banned: the text goes on behind them.
        var later = rest(token -> (set == null || SpecialTokens.isSpecial(token)) && allowed.test(token));
        if (later != null || missed == MISSED_MAX) {
            return later;
        }
        int[] ending = mask.ending();
        if (ending != null && ending.length > 0 && allowed.test(ending[0])) {
            return ending;
        }
        missed++;
        return null;
    }

    /// The line from the next token of a kind on.
    private int @Nullable [] rest(IntPredicate wanted) {
        for (int begin = at; begin < line.length; begin++) {
            if (wanted.test(line[begin])) {
                return Arrays.copyOfRange(line, begin, line.length);
            }
        }
        return null;
    }

    @Override
    public void accept(int token) {
        if (turning == null && line[at] != token && SpecialTokens.isSpecial(token)) {
            // Another speaker said it: the line goes on behind it, if it has it.
            turning = rest(next -> next == token);
        }
        if (turning != null && turning[0] == token) {
            line = turning;
            at = 1;
        } else if (line[at] == token) {
            at++;
        }
        turning = null;
        follow(token);
        if (at == line.length) {
            // Nobody stopped at the stop token, so the answer comes once more.
            line = Plan.joined(new int[] {SpecialTokens.START}, answer);
            at = 0;
        }
    }

    private void follow(int token) {
        if (token == SpecialTokens.START) {
            answered = 0;
        } else if (answered >= 0) {
            answered = answered < answer.length && answer[answered] == token ? answered + 1 : -1;
        }
    }
}
