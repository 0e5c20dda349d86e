package dev.counterpoint.worker.engine.simulated;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Greetings, thanks, and who is speaking.
final class Greeting implements Skill {
    private static final Pattern WHO = Pattern.compile("(?i)\\b(?:who|what) are you\\b|what can you do|what do you do"
            + "|\\byour name\\b|are you (?:a|an|real|human|gpt|chatgpt|simulated)"
            + "|what model|which model|^help\\W*$|introduce yourself|can you"
            + " help|what are your (?:abilities|skills|capabilities)");
    private static final Pattern HELLO =
            Pattern.compile("(?i)^\\W*(?:hello|hi|hey|how are you|how do you do|good (?:morning|afternoon|evening|day)"
                    + "|greetings|hallo|bonjour|hola|ping|test)\\b");
    private static final Pattern THANKS =
            Pattern.compile("(?i)^\\W*(?:thanks|thank you|thx|cheers|great|perfect|ok|okay|cool)\\b");
    private static final Pattern BYE = Pattern.compile("(?i)^\\W*(?:bye|goodbye|see you|good night)\\b");
    private static final String SELF = "I am a simulated engine: I answer from fixed rules, without a"
            + " language model behind me. I can do arithmetic, count "
            + "letters and words, sort and reverse, pick values out of your"
            + " text, call the tools you declare, fill JSON "
            + "schemas and recall what you told me in this conversation.";

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
        if (question.isEmpty()) {
            return Answer.say(List.of("There is no question yet."), SELF);
        }
        if (WHO.matcher(question).find()) {
            return Answer.say(
                    List.of("The user wants to know who is answering.", "I must say plainly that I am simulated."),
                    SELF);
        }
        boolean brief = Words.all(question).size() <= 8;
        if (brief && HELLO.matcher(question).find()) {
            return Answer.say(
                    List.of("This is a greeting, so I greet back and offer help."),
                    situation
                            .wording()
                            .pick(
                                    "Hello! I am a simulated engine. What can I work out for you?",
                                    "Hi there! You reached a simulated engine. What would you like to know?",
                                    "Good to hear from you! I am a simulated engine; ask me something."));
        }
        if (brief && THANKS.matcher(question).find()) {
            return Answer.say(
                    List.of("The user is content."), "You are welcome. Is there anything else I can work out for you?");
        }
        return brief && BYE.matcher(question).find()
                ? Answer.say(List.of("The user leaves."), "Goodbye, and come back any time.")
                : null;
    }
}
