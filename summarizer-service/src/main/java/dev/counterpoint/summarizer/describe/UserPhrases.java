package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Chooses short phrases of the user's message: runs of words that are not frequent ones, without anything that is no
/// plain word.
final class UserPhrases {
    /// Phrases of a message.
    private static final int PHRASES_MAX = 3;
    /// Words of a phrase; a longer run is no phrase.
    private static final int WORDS_MAX = 5;
    /// Characters of a phrase.
    private static final int LENGTH_MAX = 48;
    /// Characters of a word.
    private static final int WORD_MAX = 24;
    /// Letters of a word that is a phrase by itself, if it begins with a small one.
    private static final int ALONE_MIN = 5;
    /// Letters of a word in an alphabet of capital and small ones that is likely no particle.
    private static final int WORD_MIN = 4;
    /// Characters of a phrase in a script without blanks.
    private static final int UNSPACED_MAX = 10;

    private static final Pattern CODE = Pattern.compile("```.*?(```|\\z)|`[^`\n]*`|<[^<>]{1,200}>", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{Mn}\\p{Mc}]*([-’'][\\p{L}\\p{Mn}\\p{Mc}]+)*");
    private static final Pattern CLAUSE_END = Pattern.compile(".*[\\p{P}&&[^-'’\"“”„«»]]$", Pattern.DOTALL);
    private static final Pattern KEY_CASE = Pattern.compile(".*\\p{Ll}\\p{Lu}.*\\p{Lu}.*");
    /// Characters of Chinese that belong to no phrase, and all of hiragana.
    private static final String UNSPACED_BREAKS =
            "的了是我你您他她它们在和与及吗呢吧请帮把给怎么什为如何哪些个一下这那有没能可以要想会用对从到让写解释介绍告诉说明" + "分析比较计算教些多少做该应被就还都也很最并或但因所";

    private final Set<String> stopWords;
    private final Set<String> phrases = new LinkedHashSet<>();
    private final List<String> run = new ArrayList<>();

    private UserPhrases(Set<String> stopWords) {
        this.stopWords = stopWords;
    }

    static List<String> of(String message, SummaryLanguage language) {
        var chosen = new UserPhrases(LanguageFile.of(language).stopWords());
        var text = CODE.matcher(message).replaceAll(" , ");
        if (language == SummaryLanguage.ZH || language == SummaryLanguage.JA) {
            chosen.readUnspaced(text);
        } else {
            for (var token : text.split("[\\s\\p{Z}]+")) {
                chosen.read(token);
            }
            chosen.endRun();
        }
        return chosen.phrases.stream()
                .sorted(Comparator.comparingInt(UserPhrases::weakness))
                .limit(PHRASES_MAX)
                .toList();
    }

    /// Phrases of two and three words tell most; the sort keeps the order of the message among equals.
    private static int weakness(String phrase) {
        int words = phrase.split(" ").length;
        boolean unspaced = CueText.unspaced(phrase.charAt(0));
        return unspaced ? (phrase.length() >= 3 ? 0 : 1) : words == 2 || words == 3 ? 0 : words > 3 ? 1 : 2;
    }

    private void read(String token) {
        var word = token.replaceAll("^[\\p{P}]+|[\\p{P}]+$", "");
        boolean plain = word.length() <= WORD_MAX
                && WORD.matcher(word).matches()
                && !KEY_CASE.matcher(word).matches();
        boolean opens = !token.isEmpty() && !word.isEmpty() && !token.startsWith(word.substring(0, 1));
        if (opens) {
            endRun();
        }
        if (plain && !isStop(word)) {
            run.add(word);
        } else {
            endRun();
        }
        if (CLAUSE_END.matcher(token).matches()) {
            endRun();
        }
    }

    private boolean isStop(String word) {
        var normal = CueText.normal(word).strip();
        boolean small = word.length() < WORD_MIN && word.chars().anyMatch(Character::isLowerCase);
        return normal.length() < 2
                || small
                || stopWords.contains(normal)
                || stopWords.contains(normal.substring(normal.lastIndexOf(' ') + 1)) && normal.indexOf(' ') > 0;
    }

    private void endRun() {
        var phrase = String.join(" ", run);
        int least = !phrase.isEmpty() && Character.isLowerCase(phrase.charAt(0)) ? ALONE_MIN : 3;
        boolean tells = run.size() > 1 || phrase.length() >= least;
        if (tells && run.size() <= WORDS_MAX && phrase.length() <= LENGTH_MAX) {
            phrases.add(phrase);
        }
        run.clear();
    }

    private void readUnspaced(String text) {
        var phrase = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            boolean part = CueText.unspaced(c)
                    && Character.UnicodeScript.of(c) != Character.UnicodeScript.HIRAGANA
                    && UNSPACED_BREAKS.indexOf(c) < 0;
            if (part) {
                phrase.append(c);
            } else {
                if (phrase.length() >= 2 && phrase.length() <= UNSPACED_MAX) {
                    phrases.add(phrase.toString());
                }
                phrase.setLength(0);
            }
        }
    }
}
