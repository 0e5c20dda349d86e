package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets the model address only functions that were declared: in a header, ` to` is followed by one of their names, or
/// cannot come at all. Everything else is free. Not thread-safe.
final class RecipientMask implements TokenMask {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final int TO = TOKENIZER.encode(" to")[0];
    private static final long[] NOT_ADDRESSED = TokenSets.allBut(TO);
    /// Tokens that the model writes after a recipient. They also tell a name from another one that begins with it.
    private static final List<int[]> AFTER_NAME = List.of(
            new int[] {SpecialTokens.MESSAGE},
            new int[] {SpecialTokens.CHANNEL},
            new int[] {SpecialTokens.CONSTRAIN},
            TOKENIZER.encode(" "),
            TOKENIZER.encode(" json"),
            TOKENIZER.encode(" code"));

    private final List<int[]> names;
    /// The prompt ends where the model writes its first header.
    private boolean inHeader = true;
    private TokenSets.@Nullable Candidates name;

    /// @param recipients that may be called, as the model knows them; none forbids calls
    RecipientMask(Collection<String> recipients) {
        names = recipients.stream()
                .map(recipient -> TOKENIZER.encode("=" + recipient))
                .flatMap(called -> AFTER_NAME.stream().map(end -> TokenSets.join(called, end)))
                .toList();
    }

    @Override
    public long @Nullable [] allowed() {
        if (name != null) {
            return name.allowed();
        }
        return inHeader && names.isEmpty() ? NOT_ADDRESSED : null;
    }

    @Override
    public void accept(int token) {
        if (!TokenMask.allows(allowed(), token)) {
            throw new IllegalArgumentException("a token that names no declared function");
        }
        if (name != null) {
            if (name.follow(token)) {
                name = null;
                inHeader = token != SpecialTokens.MESSAGE;
            }
            return;
        }
        switch (token) {
            case SpecialTokens.START, SpecialTokens.CHANNEL -> inHeader = true;
            case SpecialTokens.MESSAGE -> inHeader = false;
            default -> {
                if (inHeader && token == TO) {
                    name = new TokenSets.Candidates(names);
                }
            }
        }
    }
}
