package dev.counterpoint.worker.engine.simulated;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Counting aloud, number series, and texts of a wanted length.
final class LongText implements Skill {
    private static final int NUMBERS_MAX = 20_000;
    private static final int WORDS_MAX = 20_000;
    private static final String NUMBER = "([\\p{L}-]+|\\d[\\d,]{0,6})";
    private static final Pattern COUNT =
            Pattern.compile("(?i)\\bcount (?:(?:up|down|slowly|aloud|out loud|backwards) ){0,8}(?:from " + NUMBER
                    + " )?(?:down )?(?:to|until) " + NUMBER + "|(?:numbers?|integers?) from " + NUMBER
                    + " (?:down )?(?:to|through|until) " + NUMBER);
    private static final Pattern SERIES = Pattern.compile("(?i)\\bfirst " + NUMBER
            + " (even|odd|prime|square|fibonacci|natural|positive)? ?(?:numbers?|integers?|primes?|squares?)\\b");
    private static final Pattern SIZED =
            Pattern.compile("(?i)\\b(?:write|give|tell|generate|produce|compose|create|make"
                    + "|need|in|with|about|exactly|of)\\b[^.?!\\n]{0,40}?"
                    + NUMBER + "(?: |-)(words?|sentences?|paragraphs?|lines?|tokens?)\\b");
    private static final Pattern KIND =
            Pattern.compile("(?i)^\\W*(?:please |can you |could you |now ){0,8}(?:write|tell|compose"
                    + "|generate|create|make up|give)\\b[^.?!\\n]{0,30}?\\b(?:(short"
                    + "|brief|long|detailed|very long) )?(story|essay|poem|article|text"
                    + "|paragraph|report|letter|novel|speech|tale|song|haiku|description"
                    + "|summary|overview)\\b");
    private static final Pattern EXPLAIN =
            Pattern.compile("(?i)\\bin (?:great )?detail\\b|\\bat length\\b|\\blong (?:answer|explanation)\\b");
    private static final Pattern TOPIC =
            Pattern.compile("(?i)\\b(?:about|on|describing|explaining|of) (?!exactly|at least"
                    + "|\\d)((?:the |an? |my )?[^.?!,\\n]{1,80}?)(?= (?:in|with|of|using)"
                    + " (?:exactly |about |at least )?\\w+ (?:words|sentences|paragraphs"
                    + "|lines)|[.?!,\\n]|$)");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question().strip();
        var count = COUNT.matcher(question);
        if (count.find() && !Words.lower(question).contains("sum ")) {
            var first = count.group(4) == null ? count.group(1) : count.group(3);
            var answer = counted(first == null ? "1" : first, count.group(4) == null ? count.group(2) : count.group(4));
            if (answer != null) {
                return answer;
            }
        }
        var series = SERIES.matcher(question);
        if (series.find() && !Words.lower(question).contains("sum ")) {
            return series(series.group(1), series.group(2) == null ? "" : Words.lower(series.group(2)), question);
        }
        var sized = SIZED.matcher(question);
        if (sized.find() && !Words.lower(question).startsWith("how ")) {
            int size = integer(sized.group(1), WORDS_MAX);
            var unit = Words.lower(sized.group(2));
            return size <= 0 ? null : written(situation, size, unit.charAt(0));
        }
        var kind = KIND.matcher(question);
        if (kind.find()) {
            return written(situation, defaultWords(kind.group(1), Words.lower(kind.group(2))), 'w');
        }
        return EXPLAIN.matcher(question).find() ? written(situation, 400, 'w') : null;
    }

    private static int defaultWords(@Nullable String length, String kind) {
        int usual = switch (kind) {
            case "haiku" -> 17;
            case "paragraph", "description", "summary", "overview", "letter" -> 90;
            case "essay", "article", "report", "speech" -> 350;
            case "novel" -> 2000;
            default -> 180;
        };
        return switch (length == null ? "" : Words.lower(length)) {
            case "short", "brief" -> Math.max(17, usual / 2);
            case "long", "detailed" -> usual * 3;
            case "very long" -> usual * 6;
            default -> usual;
        };
    }

    private static int integer(String written, int most) {
        var number = Words.number(written);
        return number == null || number.signum() < 0 ? -1 : (int) Math.min(most, number.longValue());
    }

    private static @Nullable Answer counted(String firstWritten, String lastWritten) {
        int first = integer(firstWritten, Integer.MAX_VALUE);
        int last = integer(lastWritten, Integer.MAX_VALUE);
        if (first < 0 || last < 0 || Math.abs((long) last - first) > NUMBERS_MAX) {
            return null;
        }
        var numbers = new ArrayList<String>();
        int step = first <= last ? 1 : -1;
        for (int number = first; number != last + step; number += step) {
            numbers.add(String.valueOf(number));
        }
        var text = String.join(", ", numbers);
        return Answer.say(
                List.of("I count from " + first + " to " + last + ": " + numbers.size() + " numbers, none left out."),
                text + ".",
                text);
    }

    private static @Nullable Answer series(String countWritten, String kind, String question) {
        var lower = Words.lower(question);
        var wanted = !kind.isEmpty()
                ? kind
                : lower.contains("prime") ? "prime" : lower.contains("square") ? "square" : "natural";
        int count = integer(countWritten, 1000);
        if (count <= 0) {
            return null;
        }
        var numbers = new ArrayList<String>();
        long before = 0;
        long current = 1;
        for (long candidate = 1; numbers.size() < count; candidate++) {
            boolean fits = switch (wanted) {
                case "even" -> candidate % 2 == 0;
                case "odd" -> candidate % 2 == 1;
                case "prime" -> BigInteger.valueOf(candidate).isProbablePrime(40);
                default -> true;
            };
            if (!fits) {
                continue;
            }
            numbers.add(String.valueOf(
                    wanted.equals("square") ? candidate * candidate : wanted.equals("fibonacci") ? before : candidate));
            long next = before + current;
            before = current;
            current = next;
        }
        var text = String.join(", ", numbers);
        return Answer.say(
                List.of("I list the first " + count + " " + wanted + " numbers, in order."), text + ".", text);
    }

    private static Answer written(Situation situation, int size, char unit) {
        var match = TOPIC.matcher(situation.question());
        var topic = match.find()
                ? match.group(1).strip()
                : Words.join(Words.topics(situation.question()).stream()
                        .filter(word -> Words.number(word) == null
                                && !word.matches(
                                        "(?i)words?|sentences?|paragraphs?|stor(?:y|ies)|essay|poem|text|exactly"))
                        .limit(3)
                        .toList());
        var prose = new Prose(topic.isBlank() ? "nothing in particular" : topic, situation.wording());
        var text = switch (unit) {
            case 's', 'l' -> prose.sentences(size, unit == 'l' ? "\n" : " ");
            case 'p' -> prose.paragraphs(size);
            case 't' -> prose.words(Math.max(1, size * 3 / 4));
            default -> prose.words(size);
        };
        return Answer.say(
                List.of(
                        "The topic is " + (topic.isBlank() ? "open" : topic) + ".",
                        "I write to the length that is wanted and keep to plain sentences."),
                text);
    }
}
