package dev.counterpoint.structured;

import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes texts by chance under the masks. A long one is brought to its end: then quotes and brackets that close
/// are taken first.
final class MaskWalk {
    private static final int FREE_TOKENS = 40;
    private static final int TOKENS_MAX = 400;
    private static final byte[] CLOSING = {'"', '}', ']'};

    private final Constraint constraint;
    private final SchemaDice dice;
    private final TokenBits mask;

    MaskWalk(Constraint constraint, SchemaDice dice) {
        this.constraint = constraint;
        this.dice = dice;
        mask = new TokenBits(constraint.vocabulary().size());
    }

    /// Nothing may come though the text is not at its end.
    static final class DeadEndException extends RuntimeException {
        private static final long serialVersionUID = 1;

        DeadEndException(byte[] text) {
            super("dead end after ‹" + new String(text, StandardCharsets.UTF_8) + "›");
        }
    }

    /// A whole text, or nothing when it would become very long.
    Optional<byte[]> walk() {
        var matcher = constraint.start();
        var text = new ByteArrayOutputStream();
        for (int count = 0; count < TOKENS_MAX; count++) {
            boolean closing = count >= FREE_TOKENS;
            if (matcher.accepting() && (closing || dice.percent(30))) {
                return Optional.of(text.toByteArray());
            }
            var allowed = allowed(matcher);
            if (allowed.isEmpty()) {
                if (matcher.accepting()) {
                    return Optional.of(text.toByteArray());
                }
                throw new DeadEndException(text.toByteArray());
            }
            int token = closing ? closing(allowed) : dice.of(allowed);
            if (!matcher.accept(token)) {
                throw new DeadEndException(FiniteTexts.joined(text.toByteArray(), text(token)));
            }
            text.writeBytes(text(token));
        }
        return Optional.empty();
    }

    /// The tokens of a whole text that starts so, or nothing when none is found soon.
    Optional<int[]> complete(int[] start) {
        var matcher = constraint.start();
        var tokens = new ArrayList<Integer>();
        for (int token : start) {
            tokens.add(token);
            if (!matcher.accept(token)) {
                throw new IllegalStateException("token " + token + " is in the mask and not accepted");
            }
        }
        while (tokens.size() < start.length + TOKENS_MAX) {
            if (matcher.accepting()) {
                return Optional.of(tokens.stream().mapToInt(Integer::intValue).toArray());
            }
            int token = closing(allowed(matcher));
            tokens.add(token);
            matcher.accept(token);
        }
        return Optional.empty();
    }

    private byte[] text(int token) {
        return constraint.vocabulary().text(token);
    }

    private List<Integer> allowed(Matcher matcher) {
        matcher.mask(mask);
        var allowed = new ArrayList<Integer>();
        for (int token = 0; token < mask.size(); token++) {
            if (mask.contains(token)) {
                allowed.add(token);
            }
        }
        return allowed;
    }

    private int closing(List<Integer> allowed) {
        if (dice.percent(80)) {
            for (byte wanted : CLOSING) {
                for (int token : allowed) {
                    if (text(token).length == 1 && text(token)[0] == wanted) {
                        return token;
                    }
                }
            }
        }
        return dice.of(allowed);
    }
}
