package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Chooses short phrases of the user's message: runs of words that can be nouns ([PhraseWords]), without anything that
/// is no plain word. Phrases with a word that speaks for a subject come first.
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
    /// Of phrases, by their lengths, from the most telling one.
    private static final int FORMS = 3;
    /// Characters of a phrase in a script without blanks.
    private static final int UNSPACED_MAX = 10;

    private static final Pattern CODE = Pattern.compile("```.*?(```|\\z)|`[^`\n]*`|<[^<>]{1,200}>", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{Mn}\\p{Mc}]*([-’'][\\p{L}\\p{Mn}\\p{Mc}]+)*");
    private static final Pattern CLAUSE_END = Pattern.compile(".*[\\p{P}&&[^-'’\"“”„«»]]$", Pattern.DOTALL);
    private static final Pattern KEY_CASE = Pattern.compile(".*\\p{Ll}\\p{Lu}.*\\p{Lu}.*");

    private final SummaryLanguage language;
    private final PhraseWords words;
    private final Set<String> phrases = new LinkedHashSet<>();
    private final List<String> run = new ArrayList<>();

    private UserPhrases(SummaryLanguage language) {
        this.language = language;
        words = PhraseWords.of(language);
    }

    static List<String> of(String message, SummaryLanguage language) {
        var chosen = new UserPhrases(language);
        var text = CODE.matcher(PastedLines.removed(message)).replaceAll(" , ");
        if (language.unspaced()) {
            chosen.readUnspaced(text);
        } else {
            for (var token : text.split("[\\s\\p{Z}]+")) {
                chosen.read(token);
            }
            chosen.endRun();
        }
        return chosen.best();
    }

    /// The sort keeps the order of the message among equals.
    private List<String> best() {
        Predicate<String> isNoun =
                language == SummaryLanguage.DE && phrases.stream().anyMatch(UserPhrases::endsAsNoun)
                        ? UserPhrases::endsAsNoun
                        : _ -> true;
        var weakness = new HashMap<String, Integer>();
        phrases.forEach(phrase -> weakness.put(phrase, weakness(phrase)));
        return phrases.stream()
                .filter(isNoun)
                .sorted(Comparator.comparing(weakness::get))
                .limit(PHRASES_MAX)
                .toList();
    }

    /// German writes nouns with a capital.
    private static boolean endsAsNoun(String phrase) {
        return Character.isUpperCase(phrase.charAt(phrase.lastIndexOf(' ') + 1));
    }

    /// Of phrases alike, those of two and three words tell most.
    private int weakness(String phrase) {
        int count = phrase.split(" ").length;
        boolean unspaced = CueText.unspaced(phrase.charAt(0));
        int form = unspaced ? (phrase.length() >= 3 ? 0 : 1) : count == 2 || count == 3 ? 0 : count > 3 ? 1 : 2;
        boolean hasSubject = CueScores.best(CueScores.of(phrase, language).subjects) > 0;
        return hasSubject ? form : form + FORMS;
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
        if (plain && !isParticle(word) && words.isQuotable(word)) {
            run.add(word);
        } else {
            endRun();
        }
        if (CLAUSE_END.matcher(token).matches() || words.hasParticle(word)) {
            endRun();
        }
    }

    private static boolean isParticle(String word) {
        return word.length() < WORD_MIN && word.chars().anyMatch(Character::isLowerCase);
    }

    private void endRun() {
        if (!run.isEmpty()) {
            run.add(words.withoutParticle(run.removeLast()));
        }
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
        int at = 0;
        while (at <= text.length()) {
            int unquoted = words.unquotedAt(text, at);
            char c = at < text.length() ? text.charAt(at) : ' ';
            boolean part = unquoted == 0
                    && CueText.unspaced(c)
                    && Character.UnicodeScript.of(c) != Character.UnicodeScript.HIRAGANA;
            if (part) {
                phrase.append(c);
            } else {
                if (phrase.length() >= 2 && phrase.length() <= UNSPACED_MAX) {
                    phrases.add(phrase.toString());
                }
                phrase.setLength(0);
            }
            at += Math.max(1, unquoted);
        }
    }
}
