package dev.counterpoint.worker.engine.simulated;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Says what it is told to say.
final class Echo implements Skill {
    private static final String QUOTED = "(?:\"([^\"\\n]+)\"|“([^”\\n]+)”|`([^`\\n]+)`|'([^\\n]+)')";
    private static final Pattern QUOTED_SAY =
            Pattern.compile("(?i)^(?:please |just |now |simply )*(?:say|repeat|reply|respond"
                    + "|answer|output|print|write|echo|type)\\b[^\"“`'\\n]{0,60}?"
                    + QUOTED);
    private static final Pattern COLON_SAY =
            Pattern.compile("(?is)^(?:please |just |now |simply )*(?:repeat(?: after me)?"
                    + "|echo|say|reply|respond|answer|output|print)\\b[^:\\n]{0,60}:\\s*"
                    + "(.+)$");
    private static final Pattern PLAIN_SAY = Pattern.compile(
            "(?i)^(?:please |just |now |simply )*(?:say|reply with|respond with|answer with|repeat|echo|output|print)"
                    + "(?: (?:exactly|only|just|the words?|the single word|a single"
                    + " word))*[,:]? (.{1,200}?)(?:,? (?:and nothing else|only|please"
                    + "|again|verbatim|exactly))*[.!?]?$");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
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
