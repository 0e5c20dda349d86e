package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
            Pattern.compile("(?s)(?:,| \\(|['’]s | (?:is|was|and|has|will|lives)\\b).{0,12}");
    private static final Pattern PLACE_BEFORE =
            Pattern.compile("(?is).{0,16}\\b(?:in|near|around|from|to|at|for|of|weather|and)(?: the)? ");
    private static final Pattern AFTER_PREPOSITION = Pattern.compile(
            "(?i)\\b(?:in|for|at|near|of) (?:the )?(\\p{N}[\\p{L}\\p{N}-]{1,40}|\\p{L}[\\p{L}-]{2,40})");
    private static final Pattern SAYING = Pattern.compile("(?i)\\b(?:saying|that says) ([^\\n]{1,500})");
    private static final Pattern URL =
            Pattern.compile("(?:https?://|www\\.|github\\.com/|linkedin\\.com/)[^\\s<>\"')]{1,200}");
    private static final Pattern PHONE = Pattern.compile("\\+?(?:\\(\\d{1,5}\\) ?)?\\d{2,5}(?:[ -]\\d{2,5}){1,5}");
    /// A label at the beginning of a line, and the rest of the line when no other label is in it.
    private static final Pattern LABELLED = Pattern.compile(
            "(?m)^[\\s>*-]{0,6}(\\p{L}[\\p{L}\\p{N}_ -]{0,40}?) ?[:=] ?([^:=\\n]{1,500}|https?://\\S{1,200})$");
    private static final Pattern PAIR =
            Pattern.compile("\\b(\\p{L}[\\p{L}\\p{N}_-]{0,30}(?: \\p{L}[\\p{L}\\p{N}_-]{0,30})?)"
                    + " ?[:=] ?(\"[^\"\\n]{1,500}\"|(?:[^,;\\n]|,(?=\\d)){1,80})");
    private static final Pattern PIECE = Pattern.compile("\\p{L}{1,64}+|-?\\d{1,15}(?:,\\d{3}){0,4}(?:\\.\\d{1,9})?");
    /// What holds numbers and words that are no numbers and words of the text.
    private static final Pattern NO_PIECE =
            Pattern.compile(EMAIL.pattern() + "|" + DATE.pattern() + "|\\+" + PHONE.pattern() + "|" + URL.pattern());
    private static final Pattern LOCATION = Pattern.compile(
            "(?m)^[ \\t]{0,4}(\\p{Lu}[\\p{L}.-]{1,30}" + "(?: \\p{Lu}[\\p{L}.-]{1,30}){0,3}, \\p{Lu}[\\p{L} ]{1,30})$");
    private static final int UNUSED_MAX = 16;
    private static final int PIECES_MAX = 64;
    private static final int LIST_MAX = 32;
    private static final String ENTRY = "[\\p{L}\\p{N}_-]{1,40}+";
    private static final Pattern ENTRIES = Pattern.compile(ENTRY + "(?:, " + ENTRY + "){0,20}+,? (?:and|or) " + ENTRY);
    private static final Set<String> PLACES =
            PromptWords.stems("location city place town address country origin from destination to");
    private static final Set<String> PEOPLE = PromptWords.stems("name person customer author user people participants");

    private static final Set<String> TITLES = PromptWords.stems("title role position profession occupation");
    private static final Set<String> MONEY = PromptWords.stems("price cost total amount sum fee salary budget");
    private static final Set<String> LINKS = PromptWords.stems("url link website homepage uri");
    private static final Set<String> PHONES = PromptWords.stems("phone telephone mobile tel");

    private final String text;
    private final Map<String, String> pairs = new LinkedHashMap<>();
    private final List<String> pieces;
    private final List<String> stems;
    private final Set<String> knownStems;
    private final List<String> quotes;
    private final Set<String> places = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();

    private final Map<List<String>, List<PromptValues>> parts = new HashMap<>();
    private final Set<Object> used = new HashSet<>();

    /// @param known values, by their fields; they come before what the text says
    PromptValues(String given, JsonNode known) {
        text = PromptContent.clip(given, PromptContent.READ_MAX);
        quotes = PromptWords.found(QUOTE, text).stream()
                .map(quote -> quote.substring(1, quote.length() - 1))
                .toList();
        pieces = PromptWords.found(PIECE, NO_PIECE.matcher(text).replaceAll(";"));
        stems = pieces.stream().map(PromptWords::stem).toList();
        knownStems = Set.copyOf(stems);
        known.properties().forEach(member -> {
            var value = member.getValue();
            if (value.isValueNode() && !value.asText().isEmpty()) {
                pairs.put(PromptWords.ofIdentifier(member.getKey()), value.asText());
            }
        });
        LABELLED.matcher(text).results().forEach(this::put);
        PAIR.matcher(text).results().forEach(this::put);
        NAME.matcher(text).results().forEach(this::sort);
    }

    private void put(MatchResult pair) {
        var value = pair.group(2).strip();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        pairs.putIfAbsent(
                PromptWords.ofIdentifier(pair.group(1)),
                quoted ? value.substring(1, value.length() - 1) : value.replaceFirst("[.?!]$", ""));
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

    /// Whether the text has a value for the field itself.
    boolean knows(String field) {
        return labelled(field, "") != null || number(field) != null || truth(field) != null;
    }

    /// The parts for the elements of a list of objects; see [PromptParts].
    List<PromptValues> parts(String field, List<String> names) {
        var key = new ArrayList<>(names);
        key.add(field);
        var made = parts.get(key);
        if (made == null) {
            made = PromptParts.of(text, field, names);
            parts.put(key, made);
        }
        return made;
    }

    /// The text for a field; null where the text has none.
    @Nullable
    String text(String field, String description) {
        var own = labelled(field, description);
        if (own != null) {
            return own;
        }
        var saying = SAYING.matcher(text);
        if (quotes.isEmpty()) {
            return saying.find() ? saying.group(1) : null;
        }
        return quotes.stream()
                .filter(quote -> !used.contains(quote))
                .findFirst()
                .orElse(null);
    }

    private @Nullable String labelled(String field, String description) {
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
        var links = PromptWords.found(URL, text);
        for (var link : links) {
            var parts = PromptWords.lower(link).split("[/.]+", -1);
            if (own.stream().anyMatch(word -> List.of(parts).contains(word))
                    && !own.stream().anyMatch(LINKS::contains)) {
                return link.substring(link.lastIndexOf('/') + 1);
            }
        }
        if (own.stream().anyMatch(LINKS::contains)) {
            return nth(links, 0);
        }
        if (own.stream().anyMatch(PHONES::contains)) {
            return nth(PromptWords.found(PHONE, text), 0);
        }
        if (own.contains("dat") || own.contains("day")) {
            return nth(PromptWords.found(DATE, text), 0);
        }
        if (own.contains("expression")) {
            var worked = ArithmeticSkill.work(text);
            return worked == null ? null : worked.text();
        }
        if (own.stream().anyMatch(TITLES::contains)) {
            return PromptParts.role(text);
        }
        if (all.stream().anyMatch(PLACES::contains)) {
            var line = LOCATION.matcher(text);
            if (line.find()) {
                return line.group(1);
            }
            var found = nth(places, own.contains("destination") ? 1 : 0);
            found = found == null ? nth(names, 0) : found;
            return found == null ? placeInSmallLetters() : found;
        }
        if (own.stream().anyMatch(PEOPLE::contains) && !names.isEmpty()) {
            return nth(names, 0);
        }
        return null;
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
        var found = exact == null ? pairs.get(key.substring(0, Math.max(0, key.lastIndexOf(' ')))) : exact;
        return found != null && key.endsWith(" username") ? found.substring(found.lastIndexOf('/') + 1) : found;
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
                words.contains("ag")
                        ? Set.of("year")
                        : words.contains("limit")
                                ? Set.of("top", "first")
                                : words.stream().anyMatch(MONEY::contains)
                                        ? Set.of("euro", "dollar", "pound")
                                        : Set.of());
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

    /// Numbers that no field has taken yet, in order.
    List<BigDecimal> unused() {
        return numbers().stream()
                .filter(number -> !used.contains(number))
                .limit(UNUSED_MAX)
                .toList();
    }

    /// A field has taken this number or text.
    void use(Object value) {
        used.add(value);
    }

    /// The first of these values that the text names; null where the text names none.
    @Nullable
    String named(List<String> values) {
        return nth(mentioned(values), 0);
    }

    /// Those of these values that the text names, in the order in which it does.
    List<String> mentioned(List<String> values) {
        var places = new TreeMap<Integer, String>();
        for (var value : values) {
            int place = place(value);
            if (place >= 0) {
                places.merge(place, value, (one, other) -> other.length() > one.length() ? other : one);
            }
        }
        return List.copyOf(places.values());
    }

    /// Where the text names a value: the place of its first word, in characters for signs; -1 where it does not.
    private int place(String value) {
        var own = PromptWords.all(PromptWords.ofIdentifier(value)).stream()
                .map(PromptWords::stem)
                .toList();
        if (own.isEmpty()) {
            return value.isBlank() ? -1 : (" " + text + " ").indexOf(" " + value + " ");
        }
        int together = Collections.indexOfSubList(stems, own);
        boolean apart = together < 0
                && knownStems.containsAll(own)
                && PromptWords.all(PromptWords.ofIdentifier(value)).stream().noneMatch(PromptWords::isStopWord);
        return apart ? stems.indexOf(own.getFirst()) : together;
    }

    /// Of some values that the text names, the one that stands beside the field's own words; else the first.
    String nearest(String field, List<String> named) {
        var pair = pair(field);
        var own = PromptWords.stems(PromptWords.ofIdentifier(field));
        for (var value : named) {
            int place = Math.max(0, place(value));
            boolean beside = place > 0 && place - 1 < stems.size() && own.contains(stems.get(place - 1))
                    || place + 1 < stems.size() && own.contains(stems.get(place + 1));
            if (beside || pair != null && PromptWords.lower(pair).contains(PromptWords.lower(value))) {
                return value;
            }
        }
        return named.getFirst();
    }

    /// Everything in the text that looks like a value, for a string of a form that only the mask knows.
    List<String> pieces() {
        var all = new LinkedHashSet<>(pairs.values());
        Stream.of(DATE, EMAIL, URL, PHONE).forEach(form -> all.addAll(PromptWords.found(form, text)));
        all.addAll(quotes);
        all.addAll(names);
        all.addAll(places);
        all.addAll(PromptWords.content(text));
        return all.stream().limit(PIECES_MAX).toList();
    }

    /// The entries for a list of texts.
    List<String> list(String field) {
        var pair = pair(field);
        if (pair != null) {
            return List.of(pair.split(",? (?:and|or) |, ?", LIST_MAX));
        }
        boolean people =
                PromptWords.stems(PromptWords.ofIdentifier(field)).stream().anyMatch(PEOPLE::contains);
        var entries = ENTRIES.matcher(text);
        if (entries.find() && !people) {
            return List.of(entries.group().split(",? (?:and|or) |, ", -1));
        }
        return people || quotes.isEmpty() ? List.copyOf(names) : quotes;
    }
}
