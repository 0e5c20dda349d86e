package dev.counterpoint.worker.engine.simulated;

import java.util.Locale;
import java.util.regex.Pattern;

/// The few wishes about form that an instruction can have and a rule can keep.
final class Style {
    private static final String QUOTED = "[\"“'`]([^\"”'`\\n]{1,80})[\"”'`]";
    private static final Pattern BEGIN =
            Pattern.compile("(?i)\\b(?:start|begin|prefix)\\b[^.\\n]{0,50}? with " + QUOTED);
    private static final Pattern END =
            Pattern.compile("(?i)\\b(?:end|finish|close|conclude)\\b[^.\\n]{0,50}? with " + QUOTED);
    private static final Pattern UPPER =
            Pattern.compile("(?i)\\b(?:in|use|only) (?:all )?(?:upper ?-?case|caps|capital letters|all caps)\\b");
    private static final Pattern LOWER = Pattern.compile("(?i)\\b(?:in|use|only) (?:all )?lower ?-?case\\b");

    private Style() {}

    static String apply(String instructions, String answer) {
        var styled = answer;
        if (UPPER.matcher(instructions).find()) {
            styled = styled.toUpperCase(Locale.ROOT);
        } else if (LOWER.matcher(instructions).find()) {
            styled = Words.lower(styled);
        }
        var begin = BEGIN.matcher(instructions);
        if (begin.find()) {
            styled = begin.group(1) + " " + styled;
        }
        var end = END.matcher(instructions);
        return end.find() ? styled + " " + end.group(1) : styled;
    }
}
