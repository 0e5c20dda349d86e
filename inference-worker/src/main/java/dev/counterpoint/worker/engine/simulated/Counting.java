package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How many letters, vowels, words, characters or sentences there are.
final class Counting implements Skill {
    private static final String TARGET =
            "(?:the )?(?:word |phrase |sentence |text |string |name )?[:'\"“`]?(.+?)['\"”`]?\\s*[?.!]*$";
    private static final Pattern LETTER =
            Pattern.compile("(?is)(?:how many|count|number of)\\b(?: the)?(?: times)?(?: does)?"
                    + "(?: the)?(?: letters?)? ['\"“`]?(\\p{L})['\"”`]?(?:['’]?s)?(?:"
                    + " letters?)?"
                    + "(?: are(?: there)?| occurs?| appears?| does)? (?:in|appear in|occur in|has|have)\\b " + TARGET);
    private static final Pattern OF_LETTER =
            Pattern.compile("(?is)how (?:many times|often) (?:does|is) (?:the )?(letter |word"
                    + " )?['\"“`]?([\\p{L}\\p{N}-]+)['\"”`]? (?:appear|occur|used) ?in"
                    + " "
                    + TARGET);
    private static final Pattern THING =
            Pattern.compile("(?is)(?:how many|count|number of)\\b(?: the)? (letters|characters"
                    + "|vowels|consonants|words|sentences|syllables|digits)\\b"
                    + "(?: are(?: there)?| does)? ?(?:in|of|does|has|have)?:?\\s+" + TARGET);
    private static final Pattern LENGTH =
            Pattern.compile("(?is)how long is (?:the )?(word|string|sentence)\\s+['\"“`]?(.+?)['\"”`]?\\s*[?.!]*$");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question();
        var letter = LETTER.matcher(question);
        if (letter.find()) {
            return letters(letter.group(1), letter.group(2).strip());
        }
        var often = OF_LETTER.matcher(question);
        if (often.find()) {
            boolean single = often.group(2).length() == 1;
            return single
                    ? letters(often.group(2), often.group(3).strip())
                    : word(often.group(2), often.group(3).strip());
        }
        var thing = THING.matcher(question);
        if (thing.find()) {
            return things(Words.lower(thing.group(1)), thing.group(2).strip());
        }
        var length = LENGTH.matcher(question);
        return length.find()
                ? things(
                        length.group(1).equals("sentence") ? "words" : "letters",
                        length.group(2).strip())
                : null;
    }

    private static Answer letters(String letter, String target) {
        var word = target.replaceFirst("(?i)^(?:the )?word ", "");
        int wanted = Character.toLowerCase(letter.codePointAt(0));
        var spelled = new ArrayList<String>();
        var places = new ArrayList<String>();
        int place = 0;
        for (int point : word.codePoints().toArray()) {
            if (Character.isLetter(point)) {
                place++;
                spelled.add(Character.toString(point));
                if (Character.toLowerCase(point) == wanted) {
                    places.add(String.valueOf(place));
                }
            }
        }
        int count = places.size();
        var shown = "“" + letter + "”";
        var thoughts = List.of(
                "I spell it out: " + String.join("-", spelled.subList(0, Math.min(60, spelled.size()))) + ".",
                count == 0 ? "None of these is " + shown + "." : shown + " stands at " + Words.join(places) + ".",
                "That makes " + count + ".");
        var text =
                "The letter " + shown + " appears " + count + (count == 1 ? " time" : " times") + " in “" + word + "”.";
        return Answer.say(thoughts, text, String.valueOf(count));
    }

    private static Answer word(String wanted, String target) {
        long count = Words.all(target).stream().filter(wanted::equalsIgnoreCase).count();
        return Answer.say(
                List.of("I go through the words one by one and look for “" + wanted + "”."),
                "“" + wanted + "” appears " + count + (count == 1 ? " time" : " times") + " in that text.",
                String.valueOf(count));
    }

    private static @Nullable Answer things(String kind, String target) {
        var parts = switch (kind) {
            case "words" -> Words.all(target);
            case "sentences" -> Words.sentences(target);
            case "characters" ->
                target.codePoints().mapToObj(Character::toString).toList();
            case "vowels" -> matching(target, "[aeiouäöüAEIOUÄÖÜ]");
            case "consonants" -> matching(target, "[\\p{L}&&[^aeiouäöüAEIOUÄÖÜ]]");
            case "digits" -> matching(target, "\\d");
            case "letters" -> matching(target, "\\p{L}");
            default -> List.<String>of();
        };
        if (parts.isEmpty() && kind.equals("syllables")) {
            return null;
        }
        int count = parts.size();
        var one = count == 1 ? kind.substring(0, kind.length() - 1) : kind;
        var shown = kind.equals("characters") ? List.<String>of() : parts.subList(0, Math.min(30, count));
        var thoughts = new ArrayList<String>();
        thoughts.add("I count the " + kind + " of “" + Words.begin(target, 20) + "”.");
        if (!shown.isEmpty()) {
            thoughts.add("They are: " + String.join(", ", shown) + (count > shown.size() ? ", and so on." : "."));
        }
        thoughts.add("That makes " + count + ".");
        var where = (count == 1 ? "There is " : "There are ") + count + " " + one;
        return Answer.say(thoughts, where + " in “" + Words.begin(target, 20) + "”.", String.valueOf(count));
    }

    private static List<String> matching(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group())
                .toList();
    }
}
