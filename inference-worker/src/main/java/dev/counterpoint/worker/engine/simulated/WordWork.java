package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sorting, reversing and re-casing of words that the question gives.
final class WordWork implements Skill {
    private static final Pattern SORT =
            Pattern.compile("(?is)\\b(?:sort|alphabeti[sz]e|arrange|(?:order|put)(?= (?:these"
                    + "|the following|the words|the numbers|the list|my list)))\\b(.*)$");
    private static final Pattern DESCENDING =
            Pattern.compile("(?i)\\b(?:descending|reverse(?:d)? order|largest first|high(?:est)?"
                    + " to low(?:est)?|z to a|from largest)\\b");
    private static final Pattern REVERSE =
            Pattern.compile("(?is)\\b(?:reverse|backwards?|spell .{0,500} backwards?)\\b(.*)$");
    private static final Pattern BACKWARDS =
            Pattern.compile("(?is)\\b(?:spell|write|say|is)\\b(.{0,500}?)\\b(?:backwards?|reversed)\\b");
    private static final Pattern UPPER = Pattern.compile("(?i)\\b(?:upper ?-?case|all caps|capital letters)\\b");
    private static final Pattern LOWER = Pattern.compile("(?i)\\blower ?-?case\\b");
    private static final Pattern TITLE = Pattern.compile("(?i)\\b(?:title case|capitali[sz]e)\\b");
    private static final Pattern CASE_VERB =
            Pattern.compile("(?i)^\\W*(?:please |can you |could you ){0,8}(?:convert|make|turn"
                    + "|put|write|change|rewrite|what is|upper|lower|capitali[sz]e|title)\\b");
    private static final Pattern LAST_OR_FIRST = Pattern.compile(
            "(?is)\\b(first|last) (letter|word)\\b (?:of|in) (?:the )?(?:word |sentence |phrase )?(.+?)[?.!]*$");
    private static final Pattern LEAD = Pattern.compile("(?is)^[\\s,:]*(?:(?:these|the following|the|this|my|following"
            + "|words?|list|items?|numbers?|names?|string|text|sentence|phrase"
            + "|letters of|of|in|by|alphabetically|alphabetical"
            + "|numerically|ascending|descending|order|into|to|from|and|a|z"
            + "|smallest|largest|lowest|highest|low|high|reverse|them|for me"
            + "|please|first)\\b[\\s,:]*){1,30}");
    private static final Pattern TRAIL =
            Pattern.compile("(?is)[\\s,]*\\b(?:alphabetically|numerically|backwards?|in (?:alphabetical"
                    + "|ascending|descending|reverse|numerical|upper|lower|all|title)\\b.*"
                    + "|(?:in)?to (?:upper|lower|title|all).*|from (?:small|large|low"
                    + "|high|a ).*|please|by length.*)\\W*$");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
        var part = LAST_OR_FIRST.matcher(question);
        if (part.find()) {
            return firstOrLast(Words.lower(part.group(1)), Words.lower(part.group(2)), object(part.group(3)));
        }
        var sort = SORT.matcher(question);
        if (sort.find()) {
            return sorted(object(sort.group(1)), DESCENDING.matcher(question).find(), question);
        }
        var backwards = BACKWARDS.matcher(question);
        if (backwards.find()) {
            return reversed(object(backwards.group(1)));
        }
        var reverse = REVERSE.matcher(question);
        if (reverse.find()) {
            return reversed(object(reverse.group(1)));
        }
        return recased(question);
    }

    /// What a verb is about: what is quoted, what follows a colon, or the rest without the small words around
    /// it.
    private static String object(String rest) {
        var quotes = FactFinder.quotes(rest);
        if (!quotes.isEmpty()) {
            return String.join(", ", quotes);
        }
        int colon = rest.indexOf(':');
        var bare = colon >= 0 ? rest.substring(colon + 1) : LEAD.matcher(rest).replaceFirst("");
        return TRAIL.matcher(bare.strip().replaceFirst("[?.!]+$", ""))
                .replaceFirst("")
                .strip();
    }

    private static @Nullable Answer sorted(String list, boolean descending, String question) {
        var words = new ArrayList<>(FactFinder.split(list));
        if (words.size() < 2) {
            return null;
        }
        boolean numbers = words.stream().allMatch(word -> word.matches("-?[\\d,]*\\.?\\d+"));
        boolean byLength = question.contains("by length");
        Comparator<String> order = numbers
                ? Comparator.comparing(word -> new BigDecimal(word.replace(",", "")))
                : byLength ? Comparator.comparing(String::length) : String.CASE_INSENSITIVE_ORDER;
        words.sort(descending ? order.reversed() : order);
        var sorted = String.join(", ", words);
        return Answer.say(
                List.of(
                        "I have " + words.size() + (numbers ? " numbers" : " words") + " to put in order: " + list
                                + ".",
                        "The first is " + words.getFirst() + ", the last is " + words.getLast() + "."),
                "In order: " + sorted + ".",
                sorted);
    }

    private static @Nullable Answer reversed(String text) {
        if (text.isEmpty()) {
            return null;
        }
        var parts = FactFinder.split(text);
        boolean list = text.contains(",") && parts.size() > 1;
        var reversed = list
                ? String.join(", ", parts.reversed())
                : new StringBuilder(text).reverse().toString();
        return Answer.say(
                List.of("I read “" + text + "” from its end.", "That gives “" + reversed + "”."),
                "Reversed, “" + text + "” is “" + reversed + "”.",
                reversed);
    }

    private static @Nullable Answer recased(String question) {
        boolean upper = UPPER.matcher(question).find();
        boolean lower = LOWER.matcher(question).find();
        boolean title = TITLE.matcher(question).find();
        if ((!upper && !lower && !title) || !CASE_VERB.matcher(question).find()) {
            return null;
        }
        var text = object(question.replaceFirst(
                "(?is)^.*?\\b(?:convert|make|turn|put|write|change|rewrite|what"
                        + " is|uppercase|upper-case|lowercase|lower-case|capitali[sz]e)\\b",
                ""));
        if (text.isEmpty()) {
            return null;
        }
        var changed = upper ? text.toUpperCase(Locale.ROOT) : lower ? Words.lower(text) : titleCase(text);
        return Answer.say(
                List.of("The text to change is “" + text + "”.", "Letter by letter: " + changed + "."),
                changed,
                changed);
    }

    private static String titleCase(String text) {
        var words = new ArrayList<String>();
        for (var word : text.split(" ", -1)) {
            words.add(Words.capitalised(word));
        }
        return String.join(" ", words);
    }

    private static @Nullable Answer firstOrLast(String which, String what, String text) {
        var parts = what.equals("word")
                ? Words.all(text)
                : text.codePoints()
                        .filter(Character::isLetter)
                        .mapToObj(Character::toString)
                        .toList();
        if (parts.isEmpty()) {
            return null;
        }
        var found = which.equals("first") ? parts.getFirst() : parts.getLast();
        return Answer.say(
                List.of("The " + what + "s of “" + text + "” are: "
                        + String.join(", ", parts.subList(0, Math.min(40, parts.size()))) + "."),
                "The " + which + " " + what + " of “" + text + "” is “" + found + "”.",
                found);
    }
}
