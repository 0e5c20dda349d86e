package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenMask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A mask that allows what a regular expression over marked text can still become; only short tokens, so that
/// texts have to be spelt in another way than they would be.
final class PatternMask implements TokenMask {
    private static final int ORDINARY = 2500;
    private static final int FIRST_SPECIAL = 199_998;
    private static final int LAST_SPECIAL = 200_020;
    private static final String[] TEXTS = new String[LAST_SPECIAL];

    static {
        for (int id = 0; id < LAST_SPECIAL; id = id == ORDINARY ? FIRST_SPECIAL : id + 1) {
            TEXTS[id] = HarmonyMarkup.decode(new int[] {id}, 0, 1);
        }
    }

    private final Matcher matcher;
    private final StringBuilder text = new StringBuilder();

    PatternMask(String pattern) {
        this.matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    }

    @Override
    public long[] allowed() {
        var allowed = new long[(LAST_SPECIAL >> 6) + 1];
        for (int id = 0; id < LAST_SPECIAL; id++) {
            if (TEXTS[id] != null && TEXTS[id].indexOf('\uFFFD') < 0 && fits(TEXTS[id])) {
                allowed[id >> 6] |= 1L << id;
            }
        }
        return allowed;
    }

    @Override
    public void accept(int token) {
        if (TEXTS[token] == null || !fits(TEXTS[token])) {
            throw new IllegalArgumentException("token " + token + " is not allowed");
        }
        text.append(TEXTS[token]);
    }

    private boolean fits(String more) {
        int length = text.length();
        text.append(more);
        matcher.reset(text);
        boolean fits = matcher.matches() || matcher.hitEnd();
        text.setLength(length);
        return fits;
    }
}
