package dev.counterpoint.engine.simulated;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Skills of a conversation: small talk, what the user said about themselves, and the honest answer to all else.
final class TalkSkills {
    private static final Pattern WHO = Pattern.compile("(?i)\\b(?:who|what) are you\\b|what can you do|\\byour name\\b"
            + "|are you (?:a|an|real|human|gpt|chatgpt|simulated)|(?:what|which) model|^help\\W{0,3}$|can you help");
    private static final Pattern HELLO = Pattern.compile(
            "(?i)^\\W{0,3}(?:hello|hi|hey|how are you|good (?:morning|afternoon|evening|day)|ping|test)\\b");
    private static final Pattern THANKS = Pattern.compile("(?i)^\\W{0,3}(?:thanks|thank you|great|perfect|okay|ok)\\b");
    private static final int BRIEF = 8;
    private static final String SELF = "I am a simulated engine: I answer from fixed rules, without a language model"
            + " behind me. I can do arithmetic, count letters and numbers, say what I am told, call the tools"
            + " you declare, fill JSON schemas and recall what you told me about yourself.";
    /// A thing that is somebody's own, and its value up to the end of the clause.
    private static final Pattern OWN = Pattern.compile(
            "(?i)\\bmy ([\\p{L}][\\p{L} -]{0,30}?) (?:is|are) ([^.!?\\n]{1,80}?)(?= and (?:I|my)\\b|[.!?\\n]|$)");
    private static final Pattern ASKED_OWN =
            Pattern.compile("(?i)\\b(?:what|who|which|when|where)\\b[^.!?\\n]{0,30}?\\bmy ([\\p{L}][\\p{L} -]{0,30})");
    private static final int TOPICS_MAX = 8;

    private TalkSkills() {}

    /// Greets, thanks, and says who is speaking.
    static @Nullable SkillAnswer smallTalk(PromptContent prompt) {
        var question = prompt.question().strip();
        if (question.isEmpty() || WHO.matcher(question).find()) {
            return SkillAnswer.say("The user wants to know who is answering. I must say that I am simulated.", SELF);
        }
        if (PromptWords.all(question).size() > BRIEF) {
            return null;
        }
        if (HELLO.matcher(question).find()) {
            var hello = prompt.pick(
                    "Hello! I am a simulated engine. What can I work out for you?",
                    "Hi there! You reached a simulated engine. What would you like to know?",
                    "Good to hear from you! I am a simulated engine; ask me something.");
            return SkillAnswer.say("This is a greeting, so I greet back and offer help.", hello);
        }
        return THANKS.matcher(question).find()
                ? SkillAnswer.say("The user is content.", "You are welcome. What else can I work out for you?")
                : null;
    }

    /// Repeats what the user said about themselves, such as their name.
    static @Nullable SkillAnswer recall(PromptContent prompt) {
        var question = prompt.question().strip();
        var known = new LinkedHashMap<String, String>();
        var asked = ASKED_OWN.matcher(question);
        if (asked.find()) {
            prompt.earlierQuestions().forEach(said -> learn(said, known));
            var fact = known.get(key(asked.group(1)));
            return fact == null ? null : SkillAnswer.say("The user told me that in this conversation. " + fact, fact);
        }
        learn(question, known);
        var facts = String.join(" ", known.values());
        return known.isEmpty() || question.endsWith("?")
                ? null
                : SkillAnswer.say(
                        "The user tells me something and asks nothing. I keep in mind: " + facts, "Noted. " + facts);
    }

    /// Puts each fact down under the stems of its words; later words win.
    private static void learn(String text, Map<String, String> known) {
        OWN.matcher(text)
                .results()
                .forEach(own -> known.put(
                        key(own.group(1)),
                        "Your " + PromptWords.lower(own.group(1)) + " is "
                                + own.group(2).strip() + "."));
    }

    private static String key(String words) {
        return String.join(
                " ", PromptWords.all(words).stream().map(PromptWords::stem).toList());
    }

    /// Says honestly that nothing else fits. Always answers.
    static SkillAnswer fallback(PromptContent prompt) {
        var words = PromptWords.content(prompt.question());
        var topics = PromptWords.join(words.subList(0, Math.min(TOPICS_MAX, words.size())));
        var about = topics.isEmpty() ? "that" : PromptWords.begin(topics, 24);
        var opening = prompt.pick("You asked about ", "Your question is about ", "This is about ");
        return SkillAnswer.say(
                List.of(
                        "The question turns on " + about + ".",
                        "That needs knowledge of the world, and I am a simulated engine that has none."),
                opening + about
                        + ". I am a simulated engine without knowledge of the world, so I can only work with what you"
                        + " tell me. Ask me to calculate, count or call one of your tools, and I can do more.",
                about);
    }
}
