package dev.counterpoint.engine.simulated;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Skills that say a text, count aloud, and count letters.
final class TextSkills {
    private static final String PLEASE = "(?i)^\\W{0,3}(?:please |just |now |simply |can you |could you ){0,3}";
    private static final Pattern SAY_IN_LANGUAGE = Pattern.compile(PLEASE + "say (?:hello|hi) in (\\p{L}{1,20})");
    private static final Pattern SAY = Pattern.compile(PLEASE
            + "(?s:(?:say|repeat|echo|(?:reply|respond|answer) with)(?: exactly| only| just| the words?| after me){0,3}"
            + "[,:]? (.{1,4000}))$");
    private static final Pattern QUOTED = Pattern.compile("[\"“`']([^\"”`']{1,500})[\"”`'][.!?]?");
    private static final Map<String, String> HELLO = Map.of(
            "english", "Hello!",
            "german", "Guten Tag!",
            "french", "Bonjour !",
            "spanish", "¡Hola!",
            "italian", "Ciao!",
            "japanese", "こんにちは。",
            "chinese", "你好！");
    private static final String IN_TARGET = "(?: are| there| do| does| appears?| occurs?){0,3} (?:in|has|have) "
            + "(?:the (?:word|phrase|sentence|name) )?(.{1,500})";
    private static final Pattern LETTER = Pattern.compile(
            "(?i)how many (?:times |does |the |letters? ){0,4}[\"“`']?(\\p{L})[\"”`']?(?:['’]?s)?(?: letters?)?"
                    + IN_TARGET);
    private static final Pattern THING = Pattern.compile("(?i)how many (letters|words)" + IN_TARGET);
    private static final String NUMBER = "(\\d{1,6}|\\p{L}[\\p{L}-]{2,14})";
    private static final Pattern COUNT = Pattern.compile(
            "(?i)\\bcount (?:up |down |slowly |aloud ){0,3}(?:from " + NUMBER + " )?(?:down )?to " + NUMBER);
    private static final int NUMBERS_MAX = 20_000;
    private static final int SPELLED_MAX = 60;

    private TextSkills() {}

    /// Says a text that the user gives, word for word.
    static @Nullable SkillAnswer say(PromptContent prompt) {
        var question = prompt.question().strip();
        var language = SAY_IN_LANGUAGE.matcher(question);
        var hello = language.find() ? HELLO.get(PromptWords.lower(language.group(1))) : null;
        if (hello != null) {
            return SkillAnswer.say("A greeting in " + language.group(1) + " is all that is wanted.", hello);
        }
        var say = SAY.matcher(question);
        if (!say.find()) {
            return null;
        }
        var text = bare(say.group(1), "[.]$");
        return SkillAnswer.say("I am told what to say, word for word: “" + PromptWords.begin(text, 20) + "”.", text);
    }

    private static String bare(String written, String end) {
        var quoted = QUOTED.matcher(written.strip());
        return quoted.matches() ? quoted.group(1) : written.strip().replaceFirst(end, "");
    }

    /// Counts the letters or words of a text.
    static @Nullable SkillAnswer letters(PromptContent prompt) {
        var letter = LETTER.matcher(prompt.question());
        if (letter.find()) {
            return oneLetter(letter.group(1), bare(letter.group(2), "[?.!]{1,3}$"));
        }
        var thing = THING.matcher(prompt.question());
        if (!thing.find()) {
            return null;
        }
        var kind = PromptWords.lower(thing.group(1));
        var target = bare(thing.group(2), "[?.!]{1,3}$");
        long count = kind.equals("words")
                ? PromptWords.all(target).size()
                : target.codePoints().filter(Character::isLetter).count();
        return SkillAnswer.say(
                List.of("I go through “" + target + "” and count.", "That makes " + count + "."),
                "There are " + count + " " + kind + " in “" + target + "”.",
                String.valueOf(count));
    }

    private static SkillAnswer oneLetter(String letter, String word) {
        var letters = word.codePoints()
                .filter(Character::isLetter)
                .mapToObj(Character::toString)
                .toList();
        long count = letters.stream().filter(letter::equalsIgnoreCase).count();
        return SkillAnswer.say(
                List.of(
                        "I spell it out: " + String.join("-", letters.subList(0, Math.min(SPELLED_MAX, letters.size())))
                                + ".",
                        "That makes " + count + " of “" + letter + "”."),
                "The letter “" + letter + "” appears " + count + (count == 1 ? " time" : " times") + " in “" + word
                        + "”.",
                String.valueOf(count));
    }

    /// Counts aloud.
    static @Nullable SkillAnswer count(PromptContent prompt) {
        var count = COUNT.matcher(prompt.question());
        var first = count.find() ? PromptWords.number(count.group(1) == null ? "1" : count.group(1)) : null;
        var last = first == null ? null : PromptWords.number(count.group(2));
        if (first == null || last == null || first.subtract(last).abs().intValue() > NUMBERS_MAX) {
            return null;
        }
        int begin = first.intValue();
        int step = begin <= last.intValue() ? 1 : -1;
        int size = Math.abs(last.intValue() - begin) + 1;
        var text = IntStream.range(0, size)
                .mapToObj(number -> String.valueOf(begin + step * number))
                .collect(Collectors.joining(", "));
        var thought = "I count from " + first + " to " + last + ": " + size + " numbers, none left out.";
        return SkillAnswer.say(List.of(thought), text + ".", text);
    }
}
