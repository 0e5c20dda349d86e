package dev.counterpoint.worker.engine.simulated;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Says what it is told to say.
final class Echo implements Skill {
    private static final String QUOTED = "(?:\"([^\"\\n]+)\"|“([^”\\n]+)”|`([^`\\n]+)`|'([^\\n]+)')";
    private static final Pattern QUOTED_SAY =
            Pattern.compile("(?i)^(?:please |just |now |simply ){0,8}(?:say|repeat|reply|respond"
                    + "|answer|output|print|write|echo|type)\\b[^\"“`'\\n]{0,60}?"
                    + QUOTED);
    private static final Pattern COLON_SAY =
            Pattern.compile("(?is)^(?:please |just |now |simply ){0,8}(?:repeat|echo|say|reply"
                    + "|respond|answer|output|print)"
                    + "(?: (?:with|exactly|only|just|this|the|following|text|sentence|word|words|phrase|back|verbatim"
                    + "|after me|to me)){0,8}:\\s*(.+)$");
    private static final Pattern TIMES =
            Pattern.compile("(?i)^(?:please |just |now |simply ){0,8}(?:say|repeat|write|print"
                    + "|output|type)(?: the (?:words?|phrase|sentence))?"
                    + " [\"“'`]?(.{1,100}?)[\"”'`]? ([\\p{L}-]+|\\d{1,5}) times\\b");
    private static final int TIMES_MAX = 20_000;
    private static final Pattern PLAIN_SAY =
            Pattern.compile("(?i)^(?:please |just |now |simply ){0,8}(?:say|(?:reply|respond"
                    + "|answer) with(?! (?:an? (?!single)|one |two |three |some |your"
                    + " |at ))|repeat|echo|output|print)"
                    + "(?: (?:exactly|only|just|the words?|the single word|a single"
                    + " word)){0,8}[,:]? (.{1,200}?)(?:,? (?:and nothing else|only|please"
                    + "|again|verbatim|exactly)){0,8}[.!?]?$");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
        var times = TIMES.matcher(question);
        var count = times.find() ? Words.number(times.group(2)) : null;
        if (count != null) {
            int repeats = Math.clamp(count.longValue(), 1, TIMES_MAX);
            var text = "%s ".formatted(times.group(1)).repeat(repeats).strip();
            return Answer.say(List.of("I am to say “" + times.group(1) + "” " + repeats + " times."), text);
        }
        for (var pattern : List.of(QUOTED_SAY, COLON_SAY, PLAIN_SAY)) {
            var match = pattern.matcher(question);
            if (!match.find()) {
                continue;
            }
            for (int group = 1; group <= match.groupCount(); group++) {
                if (match.group(group) != null) {
                    var text = match.group(group).strip();
                    return Answer.say(
                            List.of("I am told what to say, word for word: “" + Words.begin(text, 20) + "”."), text);
                }
            }
        }
        return null;
    }
}
