package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.describe.WordList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers in words: `forty-two`, `zweiundvierzig`, `四十二`, `사십이`.
final class NumberWords {
    /// No number, or one that cannot be told apart from an article.
    static final int NONE = -1;
    /// A number above the small ones; which is of no matter.
    static final int LARGE = Integer.MAX_VALUE;
    /// Two and three may be told where the texts do not hold them.
    static final int SMALL_MAX = 3;

    private static final int PART_MIN = 3;
    private static final String JOINS = "+";
    /// Number words that are everyday words of the language beside it.
    private static final Map<String, Set<SummaryLanguage>> HOMOGRAPHS = homographs();
    private static final Map<SummaryLanguage, NumberWords> LANGUAGES = read();
    private static final Pattern HAN =
            Pattern.compile("[〇零一二三四五六七八九十百千万億兆两兩亿萬]{2,}|[壹贰叁肆伍陆柒捌玖拾佰仟]|[四五六七八九][百千个個つ人天年月日号元円块分次回]");
    private static final Pattern HAN_WORDS = Pattern.compile("千万(?=[别不要])|万一|一一|十分(?!之)|百万一");
    private static final Pattern KANA = Pattern.compile("(?:れい|ゼロ|ぜろ|いち|に|さん|よん|ご|ろく|なな|はち|きゅう|じゅう|ひゃく|せん){3,}"
            + "|(?:よん|ろく|なな|はち|きゅう)(?:じゅう|ひゃく|せん|まん)|(?:ふた|みっ|よっ|いつ|むっ|やっ|ここの|なな)つ");
    private static final Pattern SINO_KOREAN =
            Pattern.compile("[일이삼사오육칠팔구십백천만영공]*[십백천][일이삼사오육칠팔구십백천만]+|[이삼사오육칠팔구][십백천만]|[일이삼사오육칠팔구영공]{3,}");
    private static final Pattern KOREAN =
            Pattern.compile("(?:열|스물|서른|마흔|쉰|예순|일흔|여든|아흔)(?:하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)");
    private static final Set<String> KOREAN_WORDS = Set.of("천천", "일일이");

    private final Map<String, Integer> values = new HashMap<>();
    private final Set<String> joiners = new HashSet<>();

    private static Map<String, Set<SummaryLanguage>> homographs() {
        var homographs = new HashMap<String, Set<SummaryLanguage>>();
        for (var language : SummaryLanguage.values()) {
            var words = switch (language) {
                case EN -> "on bin due once elf set sei mil mila twee tien single score pair couple vent trent";
                case DE -> "on bin once sei ein beide mil due";
                case FR -> "on un une tres due dos vent score";
                case ES -> "on un uno sei";
                case IT -> "on un uno sto mil";
                case PT -> "on um dos due sei meia once";
                case NL -> "on bin een en nul sei due";
                case PL -> "jeden jedna jedno oba on";
                case TR -> "bir due";
                case RU -> "один одна одно оба обе";
                case AR -> "واحد واحدة";
                case HI -> "एक दोनों तीनों";
                case ZH, JA, KO -> "";
            };
            Arrays.stream(words.split(" "))
                    .filter(word -> !word.isEmpty())
                    .forEach(word -> homographs
                            .computeIfAbsent(CommonWords.folded(word), _ -> new HashSet<>())
                            .add(language));
        }
        return homographs;
    }

    private static Map<SummaryLanguage, NumberWords> read() {
        var all = new EnumMap<SummaryLanguage, NumberWords>(SummaryLanguage.class);
        for (var line : WordList.lines(NumberWords.class, "numbers")) {
            var cells = line.split(" \\| ");
            var words = new NumberWords();
            for (var cell : List.of(cells).subList(1, cells.length)) {
                var forms = List.of(cell.strip().split(" "));
                for (var form : forms.subList(1, forms.size())) {
                    if (forms.getFirst().equals(JOINS)) {
                        words.joiners.add(CommonWords.folded(form));
                    } else {
                        words.values.put(CommonWords.folded(form), Integer.valueOf(forms.getFirst()));
                    }
                }
            }
            all.put(SummaryLanguage.valueOf(cells[0].toUpperCase(Locale.ROOT)), words);
        }
        return all;
    }

    /// The numbers of a text in any language: 0 and above, [#LARGE] where it is not small.
    ///
    /// @param language of the text: its everyday words are no numbers of another
    static List<Integer> in(String text, SummaryLanguage language) {
        var numbers = new ArrayList<Integer>();
        for (var word : TextWord.of(text)) {
            int value = word.hasDigit() ? LARGE : value(word.folded(), language);
            if (value != NONE) {
                numbers.add(value);
            }
        }
        if (runs(text)) {
            numbers.add(LARGE);
        }
        return numbers;
    }

    /// The small numbers among words, in whatever language they are.
    static Set<Integer> smallIn(List<TextWord> words) {
        var numbers = new HashSet<Integer>();
        for (var word : words) {
            var small = Small.VALUES.get(word.folded());
            if (small != null) {
                numbers.add(small);
            }
        }
        return numbers;
    }

    private static final class Small {
        private static final Map<String, Integer> VALUES = new HashMap<>();

        static {
            LANGUAGES
                    .values()
                    .forEach(words -> words.values.forEach((word, value) -> {
                        if (value <= SMALL_MAX) {
                            VALUES.put(word, value);
                        }
                    }));
        }
    }

    /// The text with `by` in place of the numbers that are written without blanks.
    static String masked(String text, String by) {
        var masked = text;
        for (var pattern : List.of(HAN, KANA, KOREAN, SINO_KOREAN)) {
            masked = pattern.matcher(masked).replaceAll(Matcher.quoteReplacement(by));
        }
        return masked;
    }

    private static boolean runs(String text) {
        var han = HAN_WORDS.matcher(text).replaceAll(" ");
        boolean korean = SINO_KOREAN.matcher(text).results().anyMatch(run -> !KOREAN_WORDS.contains(run.group()));
        return HAN.matcher(han).find()
                || KANA.matcher(text).find()
                || KOREAN.matcher(text).find()
                || korean;
    }

    private static int value(String folded, SummaryLanguage language) {
        var homograph = HOMOGRAPHS.getOrDefault(folded, Set.of());
        if (homograph.contains(language)) {
            return NONE;
        }
        for (var words : LANGUAGES.values()) {
            int value = words.value(folded);
            if (value != NONE) {
                return value;
            }
        }
        return NONE;
    }

    private int value(String folded) {
        var value = values.get(folded);
        if (value != null) {
            return value <= SMALL_MAX ? value : LARGE;
        }
        return folded.length() > 2 * PART_MIN && isCompound(folded, 0, false) ? LARGE : NONE;
    }

    /// Two or more number words written as one.
    private boolean isCompound(String word, int from, boolean started) {
        if (from == word.length()) {
            return started;
        }
        for (int to = from + 1; to <= word.length(); to++) {
            var part = word.substring(from, to);
            boolean number = part.length() >= PART_MIN && values.containsKey(part);
            boolean rest = (number || started && joiners.contains(part)) && isCompound(word, to, true);
            if (rest && !(from == 0 && to == word.length())) {
                return true;
            }
        }
        return false;
    }
}
