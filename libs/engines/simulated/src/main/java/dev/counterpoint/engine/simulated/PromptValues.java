package dev.counterpoint.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds values in a text for fields that are known by name and description.
final class PromptValues {
    private static final Pattern EMAIL = Pattern.compile("[\\w.+-]{1,64}+@[\\w-]{1,64}(?:\\.[\\w-]{2,24}){1,5}");
    private static final String DAY =
            "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|[Tt]oday|[Tt]omorrow|[Tt]onight|[Yy]esterday";
    private static final Pattern DATE = Pattern.compile("\\b(?:\\d{4}-\\d{2}-\\d{2}|" + DAY + ")\\b");
    private static final Pattern QUOTE =
            Pattern.compile("`[^`\\n]{1,500}`|\"[^\"\\n]{1,500}\"|(?<!\\w)'[^'\\n]{1,500}'");
    private static final Pattern NAME =
            Pattern.compile("(?<![\\w@.'’-])\\p{Lu}[\\p{L}-]{0,40}+(?: \\p{Lu}[\\p{L}-]{1,40}+){0,4}");
    private static final Pattern NO_NAME = Pattern.compile(DAY + "|[A-Z]{1,5}|Celsius|Fahrenheit");
    private static final Pattern NAME_FOLLOWS =
            Pattern.compile("(?s)(?:,|['’]s | (?:is|was|and|has|will|lives)\\b).{0,12}");
    private static final Pattern PLACE_BEFORE =
            Pattern.compile("(?is).{0,16}\\b(?:in|near|around|from|to|at|for|of|weather|and)(?: the)? ");
    private static final Pattern AFTER_PREPOSITION = Pattern.compile(
            "(?i)\\b(?:in|for|at|near|of) (?:the )?(\\p{N}[\\p{L}\\p{N}-]{1,40}|\\p{L}[\\p{L}-]{2,40})");
    private static final Pattern SAYING = Pattern.compile("(?i)\\b(?:saying|that says) ([^\\n]{1,500})");
    private static final Pattern PAIR = Pattern.compile(
            "\\b(\\p{L}[\\p{L}\\p{N}_-]{0,30}(?: \\p{L}[\\p{L}\\p{N}_-]{0,30})?) ?[:=] ?((?:[^,;\\n]|,(?=\\d)){1,80})");
    private static final Pattern PIECE = Pattern.compile("\\p{L}{1,64}+|-?\\d{1,15}(?:,\\d{3}){0,4}(?:\\.\\d{1,9})?");
    private static final String ENTRY = "[\\p{L}\\p{N}_-]{1,40}+";
    private static final Pattern ENTRIES = Pattern.compile(ENTRY + "(?:, " + ENTRY + "){0,20}+,? (?:and|or) " + ENTRY);
    private static final Set<String> PLACES =
            PromptWords.stems("location city place town address country origin from destination to");
    private static final Set<String> PEOPLE = PromptWords.stems("name person customer author user people participants");

    private final String text;
    private final Map<String, String> pairs = new LinkedHashMap<>();
    private final List<String> pieces;
    private final List<String> stems;
    private final List<String> quotes;
    private final Set<String> places = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();

    PromptValues(String given) {
        text = PromptContent.clip(given, PromptContent.READ_MAX);
        quotes = PromptWords.found(QUOTE, text).stream()
                .map(quote -> quote.substring(1, quote.length() - 1))
                .toList();
        pieces = PromptWords.found(
                PIECE, DATE.matcher(EMAIL.matcher(text).replaceAll(";")).replaceAll(";"));
        stems = pieces.stream().map(PromptWords::stem).toList();
        PAIR.matcher(text)
                .results()
                .forEach(pair -> pairs.putIfAbsent(
                        PromptWords.ofIdentifier(pair.group(1)),
                        pair.group(2).strip().replaceFirst("[.?!]$", "")));
        NAME.matcher(text).results().forEach(this::sort);
    }

    /// Takes a run of capitalised words as a place or a name. A single word that begins a sentence is taken only where
    /// the next word suggests a name.
    private void sort(MatchResult run) {
        var before = text.substring(Math.max(0, run.start() - 16), run.start());
        var after = text.substring(run.end(), Math.min(text.length(), run.end() + 12));
        var words = run.group().split(" ", 2);
        var name = words.length == 2 && PromptWords.isStopWord(words[0]) ? words[1] : run.group();
        boolean begins = before.isBlank()
                || ".!?\n".indexOf(before.strip().charAt(before.strip().length() - 1)) >= 0;
        if (PromptWords.isStopWord(name) || NO_NAME.matcher(name).matches()) {
            return;
        }
        if (begins && words.length == 1 && !NAME_FOLLOWS.matcher(after).matches()) {
            return;
        }
        boolean place = PLACE_BEFORE.matcher(before).matches() && (!before.endsWith("and ") || !places.isEmpty());
        (place ? places : names).add(name);
    }

    List<String> places() {
        return List.copyOf(places);
    }

    /// The text for a field; null where the text has none.
    @Nullable
    String text(String field, String description) {
        var own = PromptWords.stems(PromptWords.ofIdentifier(field));
        var all = new HashSet<>(own);
        all.addAll(PromptWords.stems(description));
        var pair = pair(field);
        if (pair != null) {
            return pair;
        }
        if (all.contains("email") || all.contains("mail") || all.contains("recipient")) {
            return nth(PromptWords.found(EMAIL, text), 0);
        }
        if (own.contains("dat") || own.contains("day")) {
            return nth(PromptWords.found(DATE, text), 0);
        }
        if (own.contains("expression")) {
            var worked = ArithmeticSkill.work(text);
            return worked == null ? null : worked.text();
        }
        if (all.stream().anyMatch(PLACES::contains)) {
            var found = nth(places, own.contains("destination") ? 1 : 0);
            found = found == null ? nth(names, 0) : found;
            return found == null ? placeInSmallLetters() : found;
        }
        if (own.stream().anyMatch(PEOPLE::contains) && !names.isEmpty()) {
            return nth(names, 0);
        }
        var saying = SAYING.matcher(text);
        return quotes.isEmpty() && saying.find() ? saying.group(1) : nth(quotes, 0);
    }

    private @Nullable String placeInSmallLetters() {
        var place = AFTER_PREPOSITION.matcher(text);
        return place.find()
                ? place.group(1).substring(0, 1).toUpperCase(Locale.ROOT)
                        + place.group(1).substring(1)
                : null;
    }

    /// The text for a field that must have one and that no rule knows: the part behind a colon, else a name, else the
    /// words that are not known already.
    @Nullable
    String rest(String known) {
        int colon = Math.max(text.indexOf(": "), text.indexOf(":\n"));
        if (colon >= 0 && colon + 2 < text.length()) {
            return text.substring(colon + 2).strip();
        }
        var knownStems = PromptWords.stems(known);
        var own = PromptWords.content(text);
        var left = own.stream()
                .filter(word -> !knownStems.contains(PromptWords.stem(word)))
                .toList();
        var words = left.isEmpty() ? null : String.join(" ", left);
        return names.isEmpty() ? words : nth(names, 0);
    }

    private static @Nullable String nth(Iterable<String> values, int skipped) {
        var all = values.iterator();
        for (int i = 0; i < skipped && all.hasNext(); i++) {
            all.next();
        }
        return all.hasNext() ? all.next() : null;
    }

    /// The value of `field: value` or `field = value`; `invoice` serves for `invoice_number`.
    private @Nullable String pair(String field) {
        var key = PromptWords.ofIdentifier(field);
        var exact = pairs.get(key);
        return exact == null ? pairs.get(key.substring(0, Math.max(0, key.lastIndexOf(' ')))) : exact;
    }

    /// The number beside the field's own words: `limit 5`, `age: 36`, `36 years old`, `3 guests`.
    @Nullable
    BigDecimal number(String field) {
        var pair = pair(field);
        var number = pair == null
                ? null
                : PromptWords.number(pair.replaceFirst("^[$€£]", "").split(" ", 2)[0]);
        var words = PromptWords.stems(PromptWords.ofIdentifier(field));
        words.addAll(
                words.contains("ag") ? Set.of("year") : words.contains("limit") ? Set.of("top", "first") : Set.of());
        for (int i = 0; i < pieces.size() && number == null; i++) {
            if (words.contains(stems.get(i))) {
                boolean filled = i + 2 < pieces.size() && PromptWords.isStopWord(pieces.get(i + 1));
                int behind = Math.min(pieces.size() - 1, filled ? i + 2 : i + 1);
                number = PromptWords.number(pieces.get(behind));
                number = number == null && i > 0 ? PromptWords.number(pieces.get(i - 1)) : number;
            }
        }
        return number;
    }

    /// All numbers in digits, in order.
    List<BigDecimal> numbers() {
        var numbers = new ArrayList<BigDecimal>();
        for (var piece : pieces) {
            if (Character.isDigit(piece.charAt(piece.length() - 1))) {
                numbers.add(new BigDecimal(piece.replace(",", "")));
            }
        }
        return numbers;
    }

    /// Whether the text affirms or denies a field; null where the text does not mention the field.
    @Nullable
    Boolean truth(String field) {
        var pair = pair(field);
        if (pair != null) {
            return !Set.of("no", "false", "none").contains(PromptWords.lower(pair));
        }
        int at = stems.indexOf(PromptWords.stem(PromptWords.ofIdentifier(field)));
        return at < 0 ? null : at == 0 || !Set.of("not", "no", "never").contains(pieces.get(at - 1));
    }

    /// The first of these values that the text names; null where the text names none.
    @Nullable
    String named(List<String> values) {
        var known = new HashSet<>(stems);
        for (var value : values) {
            var own = PromptWords.stems(PromptWords.ofIdentifier(value));
            if (!own.isEmpty() && known.containsAll(own)) {
                return value;
            }
        }
        return null;
    }

    /// The entries for a list of texts.
    List<String> list(String field) {
        boolean people =
                PromptWords.stems(PromptWords.ofIdentifier(field)).stream().anyMatch(PEOPLE::contains);
        var entries = ENTRIES.matcher(text);
        if (entries.find() && !people) {
            return List.of(entries.group().split(",? (?:and|or) |, ", -1));
        }
        return people || quotes.isEmpty() ? List.copyOf(names) : quotes;
    }
}
