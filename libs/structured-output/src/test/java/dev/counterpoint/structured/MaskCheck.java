package dev.counterpoint.structured;

import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares masks with a finite language along random paths: a token is allowed exactly when some text goes on
/// with it.
final class MaskCheck {
    private static final int TOKENS_SHOWN = 5;

    private final Constraint constraint;
    private final FiniteTexts texts;
    private final SchemaDice dice;
    private final TokenBits mask;
    private int masks;

    MaskCheck(Constraint constraint, FiniteTexts texts, SchemaDice dice) {
        this.constraint = constraint;
        this.texts = texts;
        this.dice = dice;
        mask = new TokenBits(constraint.vocabulary().size());
    }

    /// How many masks were compared.
    int masks() {
        return masks;
    }

    /// From the start of a text, token for token, to the end of one; the first difference, or null.
    @Nullable
    String walk() {
        var matcher = constraint.start();
        var prefix = new byte[0];
        while (true) {
            var allowed = new ArrayList<Integer>();
            var difference = compare(matcher, prefix, allowed);
            if (difference != null || allowed.isEmpty()) {
                return difference;
            }
            int token = dice.of(allowed);
            if (!matcher.accept(token)) {
                return "accept() refuses " + quoted(token) + " after " + quoted(prefix);
            }
            if (dice.percent(20)) {
                matcher.rollback(1);
                if (!matcher.accept(token)) {
                    return "after a rollback accept() refuses " + quoted(token) + " after " + quoted(prefix);
                }
            }
            matcher = dice.percent(20) ? matcher.copy() : matcher;
            prefix = FiniteTexts.joined(prefix, constraint.vocabulary().text(token));
        }
    }

    private @Nullable String compare(Matcher matcher, byte[] prefix, List<Integer> allowed) {
        masks++;
        matcher.mask(mask);
        var tooMany = new ArrayList<String>();
        var missing = new ArrayList<String>();
        for (int token = 0; token < mask.size(); token++) {
            var text = constraint.vocabulary().text(token);
            boolean expected = text.length > 0 && texts.hasPrefix(FiniteTexts.joined(prefix, text));
            if (expected) {
                allowed.add(token);
            }
            if (expected != mask.contains(token)) {
                (expected ? missing : tooMany).add(quoted(token));
            }
        }
        if (matcher.accepting() != texts.contains(prefix)) {
            return "accepting() is " + matcher.accepting() + " after " + quoted(prefix);
        }
        if (tooMany.isEmpty() && missing.isEmpty()) {
            return null;
        }
        return "after " + quoted(prefix) + " it allows wrongly " + some(tooMany) + " and forbids wrongly "
                + some(missing);
    }

    private static List<String> some(List<String> tokens) {
        return tokens.size() > TOKENS_SHOWN ? tokens.subList(0, TOKENS_SHOWN) : tokens;
    }

    private String quoted(int token) {
        return quoted(constraint.vocabulary().text(token));
    }

    private static String quoted(byte[] text) {
        return "‹" + new String(text, StandardCharsets.UTF_8) + "›";
    }
}
