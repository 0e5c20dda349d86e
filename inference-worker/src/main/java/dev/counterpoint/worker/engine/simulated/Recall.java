package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Remembers what the conversation said: names, places, codes, meanings of words, earlier questions.
final class Recall implements Skill {
    private static final String VALUE = "(.{1,120}?)(?=[.!?](?:\\s|$)|,? (?:and|but) (?:I|my|the|i)\\b|\\n|$)";
    private static final Pattern HAS =
            Pattern.compile("(?i)\\b(my|the|our|your) ([\\p{L}][\\p{L} '’_-]{0,40}?) (?:is|are|was|=) " + VALUE);
    private static final Pattern NAMED = Pattern.compile("(?i)\\b(?:call me|i am called|i'm called) " + VALUE);
    private static final Pattern I_AM_NAME =
            Pattern.compile("\\b(?:I am|I'm|I’m) (\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?)");
    private static final Pattern LIVES = Pattern.compile("(?i)\\bI live in " + VALUE);
    private static final Pattern AGED = Pattern.compile("(?i)\\b(?:I am|I'm|I’m) (\\d{1,3})(?: years old)?\\b");
    private static final Pattern LIKES =
            Pattern.compile("(?i)\\bI (like|love|prefer|hate|own|have|work as|work at|work for|study) " + VALUE);
    private static final Pattern DOES = Pattern.compile(
            "\\b(\\p{Lu}[\\p{L}-]+) (lives in|works at|works for|works as|likes|loves|owns|studies) " + VALUE);
    private static final Pattern DONE = Pattern.compile(".* (?:in|at|for|as|likes|loves|owns|studies)");
    private static final Pattern MEANS = Pattern.compile(
            "(?i)[\"“'`]?\\b(\\p{L}[\\p{L}-]{1,30})[\"”'`]? (?:means|stands for|is defined as|is short for|refers to) "
                    + VALUE);
    private static final Pattern IS_A =
            Pattern.compile("\\b(?:[Aa]n? )?(\\p{L}[\\p{L}-]{2,30}) is (an? " + VALUE.substring(1));
    private static final Pattern LAST_ASKED =
            Pattern.compile("(?i)\\bwhat (?:did I|was my|have I) (?:(first|last|previous|earlier)"
                    + " )?(?:just )?(say|said|ask|asked|question|message|tell you|told"
                    + " you)");
    private static final Pattern LAST_SAID =
            Pattern.compile("(?i)\\bwhat did you (?:just )?(?:say|answer|tell|reply)\\b"
                    + "|\\byour (?:last|previous|earlier) (?:answer|reply|message)\\b"
                    + "|^\\W*(?:please )?(?:repeat that|say that again)\\b");
    private static final Pattern WANTS =
            Pattern.compile("(?i)^(?:and |so |now |please |do you (?:know|remember) |can you"
                    + " tell me |tell me |remind me |remember ){0,8}"
                    + "(?:what|who|which|where|how old|when)(?:['’]s| is| are| was| were| do| does| am| did)?\\b(.*)$");
    private static final Pattern OWN_NAME = Pattern.compile("(?i)\\bwho am i\\b|\\bmy name\\b|what am i called");
    private static final Pattern HOME = Pattern.compile("(?i)where (?:do|did) i live|my (?:home|city|town)\\b");
    private static final Pattern OWN_AGE = Pattern.compile("(?i)how old am i|my age");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
        boolean asks = question.endsWith("?") || WANTS.matcher(question).find();
        var remembered = asks ? remembered(situation, question) : null;
        if (remembered != null) {
            return remembered;
        }
        if (LAST_SAID.matcher(question).find() && !situation.earlierAnswers().isEmpty()) {
            var said = situation.earlierAnswers().getLast();
            return Answer.say(
                    List.of("The user wants to hear again what I said."),
                    "I said: “" + Words.begin(said, 60) + "”",
                    said);
        }
        var asked = LAST_ASKED.matcher(question);
        return asked.find() && !situation.earlierQuestions().isEmpty()
                ? earlierWords(situation.earlierQuestions(), "first".equalsIgnoreCase(asked.group(1)))
                : null;
    }

    private static Answer earlierWords(List<String> questions, boolean first) {
        var said = first ? questions.getFirst() : questions.getLast();
        return Answer.say(
                List.of("I look through what the user said before; that makes " + questions.size() + " in all."),
                "You said: “" + Words.begin(said, 60) + "”",
                said);
    }

    private static @Nullable Answer remembered(Situation situation, String question) {
        var told = new ArrayList<String>();
        told.add(situation.instructions());
        told.addAll(situation.earlierWords());
        told.add(withoutLastQuestion(question));
        var known = new LinkedHashMap<String, String>();
        told.forEach(text -> known.putAll(learn(text)));
        var key = wantedKey(question, known);
        var value = key == null ? null : known.get(key);
        if (key == null || value == null) {
            return null;
        }
        var sentence = sentence(key, value);
        return Answer.say(
                List.of(
                        "The question is about something I was told in this conversation.",
                        "There it says: " + sentence),
                sentence,
                value);
    }

    private static String withoutLastQuestion(String question) {
        var sentences = Words.sentences(question);
        return sentences.size() < 2 ? "" : String.join(" ", sentences.subList(0, sentences.size() - 1));
    }

    private static @Nullable String wantedKey(String question, Map<String, String> known) {
        var sentences = Words.sentences(question);
        var last = sentences.isEmpty() ? question : sentences.getLast();
        if (OWN_NAME.matcher(last).find() && known.containsKey("my name")) {
            return "my name";
        }
        if (HOME.matcher(last).find() && known.containsKey("my home")) {
            return "my home";
        }
        if (OWN_AGE.matcher(last).find() && known.containsKey("my age")) {
            return "my age";
        }
        var words = Words.content(last).stream().map(Words::stem).toList();
        String best = null;
        int bestScore = 0;
        for (var key : known.keySet()) {
            var own = Words.content(key).stream().map(Words::stem).toList();
            int score = own.isEmpty() || !words.containsAll(own) ? 0 : own.size();
            if (score > 0 && score >= bestScore) {
                best = key;
                bestScore = score;
            }
        }
        return best;
    }

    /// What a text says about the user and about things; later words win.
    static Map<String, String> learn(String text) {
        var known = new LinkedHashMap<String, String>();
        put(known, IS_A.matcher(text), 1, 2);
        put(known, MEANS.matcher(text), 1, 2);
        var has = HAS.matcher(text);
        while (has.find()) {
            var owner = Words.lower(has.group(1));
            known.put(
                    (owner.equals("our") ? "my" : owner) + " "
                            + Words.lower(has.group(2).strip()),
                    value(has.group(3)));
        }
        putAs(known, "my name", NAMED.matcher(text));
        putAs(known, "my name", I_AM_NAME.matcher(text));
        putAs(known, "my home", LIVES.matcher(text));
        putAs(known, "my age", AGED.matcher(text));
        var likes = LIKES.matcher(text);
        while (likes.find()) {
            known.put("i " + Words.lower(likes.group(1)), value(likes.group(2)));
        }
        var does = DOES.matcher(text);
        while (does.find()) {
            known.put(Words.lower(does.group(1) + " " + does.group(2)), value(does.group(3)));
        }
        known.keySet().removeIf(Recall::isNoKey);
        return known;
    }

    private static boolean isNoKey(String key) {
        return Words.content(key).isEmpty() && !key.startsWith("i ");
    }

    private static void put(Map<String, String> known, Matcher match, int key, int value) {
        while (match.find()) {
            known.put(Words.lower(match.group(key)), value(match.group(value)));
        }
    }

    private static void putAs(Map<String, String> known, String key, Matcher match) {
        while (match.find()) {
            known.put(key, value(match.group(1)));
        }
    }

    private static String value(String written) {
        return written.strip().replaceFirst("[.!?]+$", "");
    }

    /// One fact as a sentence to the user.
    static String sentence(String key, String value) {
        return switch (key) {
            case "my home" -> "You live in " + value + ".";
            case "my age" -> "You are " + value + " years old.";
            default -> {
                if (key.startsWith("i ")) {
                    yield "You " + key.substring(2) + " " + value + ".";
                }
                if (DONE.matcher(key).matches()) {
                    yield Words.capitalised(key) + " " + value + ".";
                }
                var owner = key.startsWith("my ") ? "Your " + key.substring(3) : Words.capitalised(key);
                yield owner
                        + (key.startsWith("my ") || key.startsWith("the ") || value.startsWith("a ")
                                ? " is "
                                : " means ")
                        + value + ".";
            }
        };
    }
}
