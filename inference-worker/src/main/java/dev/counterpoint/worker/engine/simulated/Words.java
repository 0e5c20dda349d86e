package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the skills know about English words: which carry meaning, which belong together, which are numbers.
final class Words {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]++(?:['’_-][\\p{L}\\p{N}]++){0,20}");
    /// Letters of a word, on average, that is still quoted.
    private static final int LETTERS_MAX = 24;
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|\\n+");
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^\\p{L}\\p{N}]+");

    private static final Set<String> STOP_WORDS = set("""
            a about again all also am an and any are as ask at be because been before but by can could did
            do does doing down each else few for from get give had has have he hello her here hey hi him his
            how i i'd i'm if in into is it it's its just kindly know let let's like many may me might more
            most much must my need no not now of off on once only or other our out over own please same
            shall she should show so some such tell than thank thanks that that's the their them then there
            there's these they this those through to today too under until up us use using very want was we
            were what what's when where which while who whom whose why will with would yes you your
            """);

    /// Words that begin a sentence with a capital and are no names.
    private static final Set<String> STARTERS = set("""
            add answer book buy calculate calculator call change check choose classify compare compute
            convert count create define delete describe detect determine draw email every everyone exactly
            explain extract fetch fill find first generate good greetings help identify image invoice keep
            language list make meet meeting message name next note number one order output parse pick plan
            play plot post print produce put query read remember remind repeat reply report respond retrieve
            return reverse review run say schedule search second send set solve sort speak spell start
            status stop subject sum summarise summarize suppose take text think today tomorrow translate try
            turn update visualize weather work write yesterday question user date city email-address phone
            price total item items age
            """);

    private static final List<Set<String>> RELATED = related(
            set("weather temperature forecast rain rainy raining sunny hot cold"
                    + " snow warm umbrella wind windy climate degree"),
            set("health status running alive live uptime snapshot up"),
            set("html convert render markdown browser"),
            set("chart plot graph visualize visualise draw diagram"),
            set("database table query row record select fetch retrieve entry entries sql column"),
            set("email mail send message"),
            set("add plus sum total calculate calculator compute math arithmetic multiply times divide minus subtract"
                    + " expression"),
            set("search find look lookup browse google information"),
            set("schedule meeting calendar event appointment remind reminder book booking"),
            set("price cost stock quote worth"),
            set("time clock hour timezone"),
            set("translate translation language"),
            set("order delivery deliver arrive package shipment ship shipping track tracking"),
            set("flight fly plane airline travel"),
            set("news headline headlines"));

    private static final List<String> SMALL_NUMBERS = List.of(
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen");
    private static final Map<String, Integer> TENS = Map.of(
            "twenty", 20, "thirty", 30, "forty", 40, "fifty", 50, "sixty", 60, "seventy", 70, "eighty", 80, "ninety",
            90);

    private Words() {}

    private static Set<String> set(String words) {
        return Set.copyOf(new LinkedHashSet<>(List.of(words.strip().split("\\s+"))));
    }

    @SafeVarargs
    private static List<Set<String>> related(Set<String>... groups) {
        var stems = new ArrayList<Set<String>>();
        for (var group : groups) {
            var some = new HashSet<String>();
            group.forEach(word -> some.add(stem(word)));
            stems.add(some);
        }
        return stems;
    }

    /// Every word and number, as written.
    static List<String> all(String text) {
        return WORD.matcher(text).results().map(match -> match.group()).toList();
    }

    /// The words that carry the meaning, each once, as written.
    static List<String> content(String text) {
        var seen = new LinkedHashSet<String>();
        var words = new ArrayList<String>();
        for (var word : all(text)) {
            if (!isStopWord(word) && seen.add(lower(word))) {
                words.add(word);
            }
        }
        return words;
    }

    /// What a text is about: its telling words without the verb that commands.
    static List<String> topics(String text) {
        var words = content(text);
        boolean command =
                words.size() > 1 && isStarter(words.getFirst()) && text.strip().startsWith(words.getFirst());
        return command ? words.subList(1, words.size()) : words;
    }

    static boolean isStopWord(String word) {
        return STOP_WORDS.contains(lower(word).replace('’', '\''));
    }

    /// Whether a sentence may begin with this word without it being a name.
    static boolean isStarter(String word) {
        return isStopWord(word) || STARTERS.contains(lower(word));
    }

    /// A crude stem: enough that `sorts`, `sorted` and `sorting` meet.
    static String stem(String word) {
        var stem = lower(word).replaceFirst("['’]s?$", "").replaceFirst("(?<=\\w{2})our(?=$|i|s|e)", "or");
        for (var ending : List.of("ings", "ing", "ies", "ed", "es", "s")) {
            if (stem.length() > ending.length() + 2 && stem.endsWith(ending)) {
                stem = stem.substring(0, stem.length() - ending.length()) + (ending.equals("ies") ? "y" : "");
                break;
            }
        }
        return stem.length() > 3 && stem.endsWith("e") ? stem.substring(0, stem.length() - 1) : stem;
    }

    /// Whether two words are about the same thing.
    static boolean related(String one, String other) {
        return RELATED.stream().anyMatch(group -> in(group, one) && in(group, other));
    }

    private static boolean in(Set<String> group, String word) {
        return group.contains(stem(word));
    }

    /// The words of an identifier: `get_currentWeather` is `get`, `current`, `weather`.
    static List<String> ofIdentifier(String identifier) {
        return HUMP.splitAsStream(identifier)
                .filter(word -> !word.isEmpty())
                .map(Words::lower)
                .toList();
    }

    static List<String> sentences(String text) {
        return SENTENCE_END
                .splitAsStream(text.strip())
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    /// `a`, `a and b`, `a, b and c`.
    static String join(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /// The first words of a text, at most so many; an ellipsis says that there was more.
    static String begin(String text, int most) {
        if (text.length() > most * LETTERS_MAX) {
            return begin(text.substring(0, most * LETTERS_MAX - 1), most) + "…";
        }
        var words = text.strip().split("\\s+");
        return words.length <= most
                ? String.join(" ", words)
                : String.join(" ", List.of(words).subList(0, most)) + " …";
    }

    static String capitalised(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// The value of `17`, `1,200`, `3.5`, `seventeen` or `twenty-five`; null for anything else.
    static @Nullable BigDecimal number(String word) {
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            try {
                return new BigDecimal(word.replace(",", ""));
            } catch (NumberFormatException e) {
                return null;
            }
        }
        var lower = lower(word);
        int small = SMALL_NUMBERS.indexOf(lower);
        if (small >= 0) {
            return BigDecimal.valueOf(small);
        }
        int dash = lower.indexOf('-');
        int tens = TENS.getOrDefault(dash < 0 ? lower : lower.substring(0, dash), 0);
        int ones = dash < 0 ? 0 : SMALL_NUMBERS.indexOf(lower.substring(dash + 1));
        return tens == 0 || ones < 0 || ones > 9 ? null : BigDecimal.valueOf(tens + ones);
    }
}
