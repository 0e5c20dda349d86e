package dev.counterpoint.harmony;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Tokens as a model speaks them, written as text: control tokens by name, the rest encoded.
public final class SpokenTokens {
    private static final Map<String, Integer> BY_NAME = new TreeMap<>();
    private static final Pattern CONTROL = Pattern.compile("<\\|[a-z_0-9]+\\|>");

    static {
        for (int id = SpecialTokens.FIRST; id <= SpecialTokens.LAST; id++) {
            BY_NAME.put(SpecialTokens.text(id), id);
        }
    }

    private SpokenTokens() {}

    public static int[] of(String text) {
        var tokens = new TokenBuffer(text.length());
        var control = CONTROL.matcher(text);
        int from = 0;
        while (control.find()) {
            HarmonyTokenizer.shared().encode(text.substring(from, control.start()), tokens);
            Integer id = BY_NAME.get(control.group());
            if (id == null) {
                throw new IllegalArgumentException("no control token " + control.group());
            }
            tokens.add(id);
            from = control.end();
        }
        HarmonyTokenizer.shared().encode(text.substring(from), tokens);
        return tokens.toArray();
    }
}
