package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Finds [Facts] with patterns whose time is linear in the text.
final class FactFinder {
    private static final String MONTH = "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?"
            + "|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?"
            + "|Nov(?:ember)?|Dec(?:ember)?)";
    private static final String WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
    private static final Pattern WEEKDAY_OR_MONTH = Pattern.compile(WEEKDAY + "|" + MONTH);
    private static final Pattern EMAIL = Pattern.compile("[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{2,24}){1,30}");
    private static final Pattern URL = Pattern.compile("https?://[^\\s<>\"')]+[^\\s<>\"').,;!?]");
    private static final Pattern PHONE =
            Pattern.compile("(?<![\\w-])\\+?\\(?\\d{2,4}\\)?[ -]\\d{3}[ -]?\\d{2,4}[\\d -]{0,8}\\d");
    private static final Pattern DATE =
            Pattern.compile("\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}\\b|\\b"
                    + MONTH + " \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?" + MONTH
                    + "(?:,? \\d{4})?\\b|\\b(?:next |this )?" + WEEKDAY + "\\b|\\b" + MONTH
                    + " \\d{4}\\b|\\b(?i:today|tomorrow|tonight|yesterday)\\b");
    private static final Pattern TIME = Pattern.compile(
            "\\b\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]m\\b)?|\\b\\d{1,2} ?[ap]m\\b|\\bnoon\\b|\\bmidnight\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern NUMBER =
            Pattern.compile("(?<![\\w.])-?\\d{1,3}(?:,\\d{3}){1,30}(?:\\.\\d+)?|(?<![\\w.])-?\\d+(?:\\.\\d+)?");
    private static final Pattern QUOTE =
            Pattern.compile("`([^`\\n]+)`|\"([^\"\\n]+)\"|“([^”\\n]+)”|«([^»\\n]+)»|(?<!\\w)'"
                    + "([^'\\n]+(?:'[a-z]+ [^'\\n]+)?)'(?!\\w)|‘([^’\\n]+)’");
    private static final Pattern NAME = Pattern.compile(
            "(?<![\\w@.'’-])\\p{Lu}[\\p{L}’'-]*+(?: (?:(?:de|da|do|van|von|la) )?\\p{Lu}[\\p{L}’'-]*+){0,8}");
    private static final Pattern PAIR_LINE = Pattern.compile(
            "(?m)^[ \\t>*-]*([\\p{L}][\\p{L}\\p{N} _-]{0,30}?)\\**\\s*[:=]\\**[ \\t]*(\\S[^\\n]{0,400})$");
    private static final Pattern PAIR_INLINE = Pattern.compile(
            "\\b([\\p{L}][\\p{L}\\p{N}_-]{1,30})(?:: | ?= ?)([^,;\\n.]{1,80}(?:\\.\\w[^,;\\n.]{0,40}){0,3})");
    private static final Pattern PAIR_IS =
            Pattern.compile("\\b(?:[Mm]y|[Tt]he|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur) ([\\p{L}][\\p{L}"
                    + " _-]{1,30}?) (?:is|are|was) ([^,;\\n.!?]{1,80}(?:[.@][\\w-]+){0,4})");
    private static final Pattern LIST =
            Pattern.compile("([^\\s,;:.!?][^,;:.!?\\n]{0,40}(?:, [^,;:.!?\\n]{1,40}){1,20},?"
                    + " (?:and|or) [^\\s,;:.!?]+(?: [^\\s,;:.!?]+)?)");
    private static final Pattern BULLET = Pattern.compile("(?m)^\\s*(?:[-*•]|\\d+[.)])\\s+(.+)$");
    private static final Pattern PLACE_BEFORE = Pattern.compile(
            "(?i)\\b(?:in|near|around|from|to|visit|visiting|at|for|of|between|via|weather|forecast|and)(?: the)?,? $");
    private static final Pattern STRONG_PLACE =
            Pattern.compile("(?i)\\b(?:in|near|around|from|to|visit|visiting|between)(?: the)? $");
    private static final Pattern NAME_FOLLOWS = Pattern.compile(
            "^(?:,|['’]s\\b| (?:is|was|and|has|will|lives?|works?|said|went"
                    + "|wants?|likes?|bought|ordered|met|paid|from|costs?)\\b).*",
            Pattern.DOTALL);
    private static final Set<String> NO_NAMES = Set.of(
            "I",
            "AM",
            "PM",
            "OK",
            "JSON",
            "XML",
            "HTML",
            "CSV",
            "SQL",
            "API",
            "URL",
            "ID",
            "Mr",
            "Mrs",
            "Ms",
            "Dr",
            "English",
            "German",
            "French",
            "Spanish",
            "Italian",
            "Japanese",
            "Chinese",
            "USD",
            "EUR",
            "GBP",
            "Celsius",
            "Fahrenheit");
    private static final Set<String> KNOWN_PLACES = Set.of(
            "paris",
            "london",
            "berlin",
            "tokyo",
            "madrid",
            "rome",
            "vienna",
            "sydney",
            "boston",
            "chicago",
            "seattle",
            "toronto",
            "dublin",
            "lisbon",
            "oslo",
            "stockholm",
            "copenhagen",
            "amsterdam",
            "brussels",
            "munich",
            "hamburg",
            "zurich",
            "geneva",
            "prague",
            "warsaw",
            "budapest",
            "athens",
            "istanbul",
            "moscow",
            "cairo",
            "mumbai",
            "delhi",
            "bangkok",
            "singapore",
            "beijing",
            "shanghai",
            "seoul",
            "osaka",
            "kyoto",
            "melbourne",
            "new york",
            "san francisco",
            "los angeles",
            "hong kong",
            "mexico city",
            "rio de janeiro",
            "buenos aires",
            "france",
            "germany",
            "japan",
            "italy",
            "spain",
            "england",
            "canada",
            "australia",
            "india",
            "china",
            "brazil",
            "miami",
            "denver",
            "dallas",
            "austin");

    private FactFinder() {}

    static Facts find(String text) {
        var dates = all(DATE, text);
        var times = all(TIME, text);
        var places = new LinkedHashSet<String>();
        var names = new LinkedHashSet<String>();
        sortNames(text, places, names);
        names.removeAll(places);
        return new Facts(
                text,
                all(EMAIL, text),
                all(URL, text),
                all(PHONE, text),
                dates,
                times,
                numbers(text),
                quotes(text),
                List.copyOf(places),
                List.copyOf(names),
                items(text),
                pairs(text));
    }

    private static List<String> all(Pattern pattern, String text) {
        var found = new LinkedHashSet<String>();
        var match = pattern.matcher(text);
        while (match.find()) {
            found.add(match.group().strip());
        }
        return List.copyOf(found);
    }

    /// Numbers that are not part of a date, a time or an address; repeats stay, they may count.
    private static List<BigDecimal> numbers(String text) {
        var bare = text;
        for (var pattern : List.of(EMAIL, URL, DATE, TIME)) {
            bare = pattern.matcher(bare)
                    .replaceAll(match -> "_".repeat(match.group().length()));
        }
        var numbers = new ArrayList<BigDecimal>();
        var match = NUMBER.matcher(bare);
        while (match.find()) {
            numbers.add(new BigDecimal(match.group().replace(",", "")));
        }
        if (numbers.isEmpty()) {
            for (var word : Words.all(text)) {
                var number = Words.number(word);
                if (number != null) {
                    numbers.add(number);
                }
            }
        }
        return List.copyOf(numbers);
    }

    static List<String> quotes(String text) {
        var quotes = new ArrayList<String>();
        var match = QUOTE.matcher(text);
        while (match.find()) {
            for (int group = 1; group <= match.groupCount(); group++) {
                if (match.group(group) != null) {
                    quotes.add(match.group(group).strip());
                }
            }
        }
        return List.copyOf(quotes);
    }

    private static void sortNames(String text, Set<String> places, Set<String> names) {
        var match = NAME.matcher(text);
        while (match.find()) {
            var before = text.substring(Math.max(0, match.start() - 16), match.start());
            var after = text.substring(match.end(), Math.min(text.length(), match.end() + 12));
            var name = withoutStarter(match.group().replaceFirst("['’]s$", ""), before, after);
            if (name.isEmpty()
                    || NO_NAMES.contains(name)
                    || WEEKDAY_OR_MONTH.matcher(name).matches()) {
                continue;
            }
            boolean known = KNOWN_PLACES.contains(Words.lower(name));
            if (known || STRONG_PLACE.matcher(before).find()) {
                places.add(name);
            } else if (PLACE_BEFORE.matcher(before).find() && !places.isEmpty() && before.endsWith("and ")) {
                places.add(name);
            } else {
                names.add(name);
            }
        }
        if (places.isEmpty()) {
            addLowerCasePlaces(Words.lower(text), places);
        }
    }

    private static void addLowerCasePlaces(String lower, Set<String> places) {
        // In order of appearance: the order of a set differs from one JVM to the next.
        var found = new TreeMap<Integer, String>();
        for (var known : KNOWN_PLACES) {
            var place = lower.contains(known)
                    ? Pattern.compile("\\b" + known + "\\b").matcher(lower)
                    : null;
            if (place != null && place.find()) {
                found.put(place.start(), known);
            }
        }
        for (var known : found.values()) {
            var words = new ArrayList<String>();
            for (var word : known.split(" ", -1)) {
                words.add(word.equals("de") ? word : Words.capitalised(word));
            }
            places.add(String.join(" ", words));
        }
    }

    /// At the beginning of a sentence every word has a capital; only what reads like a name is kept.
    private static String withoutStarter(String name, String before, String after) {
        boolean begins =
                before.isBlank() || before.stripTrailing().matches("(?s).*[.!?:\"“'(>*-]") || before.endsWith("\n");
        int space = name.indexOf(' ');
        var first = space < 0 ? name : name.substring(0, space);
        if (Words.isStarter(first.replaceFirst("['’].*", ""))) {
            return space < 0 ? "" : withoutStarter(name.substring(space + 1), "x", after);
        }
        boolean single = space < 0 && begins && !KNOWN_PLACES.contains(Words.lower(name));
        return single
                        && !before.stripTrailing().endsWith(":")
                        && !NAME_FOLLOWS.matcher(after).matches()
                ? ""
                : name;
    }

    private static List<String> items(String text) {
        var bullets = new ArrayList<String>();
        var bullet = BULLET.matcher(text);
        while (bullet.find()) {
            bullets.add(bullet.group(1).strip());
        }
        if (bullets.size() > 1) {
            return List.copyOf(bullets);
        }
        var list = LIST.matcher(text);
        return list.find() ? split(list.group(1)) : List.of();
    }

    /// The parts of `a, b and c`; also of `a b c` when there is no comma.
    static List<String> split(String list) {
        var parts = new ArrayList<String>();
        var separator = list.contains(",") || list.contains(" and ") || list.contains(";") || list.contains("\n")
                ? "\\s*[,;\\n]\\s*(?:and |or )?|\\s+and\\s+|\\s+or\\s+"
                : "\\s+";
        for (var part : list.strip().split(separator, -1)) {
            var bare = part.strip().replaceFirst("[.!?]+$", "");
            if (!bare.isEmpty()) {
                parts.add(bare);
            }
        }
        return List.copyOf(parts);
    }

    private static Map<String, String> pairs(String text) {
        var pairs = new LinkedHashMap<String, String>();
        for (var pattern : List.of(PAIR_LINE, PAIR_INLINE, PAIR_IS)) {
            var match = pattern.matcher(text);
            while (match.find()) {
                var key = String.join(" ", Words.ofIdentifier(match.group(1)));
                pairs.putIfAbsent(key, match.group(2).strip().replaceFirst("[,;]$", ""));
            }
        }
        return pairs;
    }
}
