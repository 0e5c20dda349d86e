package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Puts placeholders in place of the numbers, names and codes of a text, so that who reads it cannot tell them.
/// What it does not recognise stays: it spares a writer what the judge would refuse, and is no guard.
public final class Placeholders {
    static final String NUMBER = "[number]";
    static final String NAME = "[name]";
    static final String CODE = "[code]";

    /// Special tokens of models begin so.
    private static final Pattern TOKEN_BEGIN = Pattern.compile("<(?=\\|)");
    /// Addresses, paths, and whatever else has no blank and a sign inside that prose does not put there.
    private static final Pattern ADDRESS =
            Pattern.compile("\\S*(?:://|@|[\\p{L}\\p{N}][_/=#:~\\\\+][\\p{L}\\p{N}])\\S*");
    /// Letters and digits in groups: cards, accounts, keys.
    private static final Pattern GROUPS =
            Pattern.compile("(?=\\S*\\d)(?=\\S*\\p{L})[\\p{L}\\p{N}]+(?:-[\\p{L}\\p{N}]+)+");

    private static final PersonNames NAMES = new PersonNames(new PublicNames(List.of()));

    private Placeholders() {}

    /// The text without numbers, names, codes, and beginnings of special tokens.
    ///
    /// @param language of the text, as far as it is known
    public static String masked(String text, SummaryLanguage language) {
        var plain = TOKEN_BEGIN.matcher(text).replaceAll("< ");
        plain = ADDRESS.matcher(plain).replaceAll(CODE);
        plain = GROUPS.matcher(plain).replaceAll(CODE);
        for (var name : PersonNames.unspacedIn(plain)) {
            plain = plain.replace(name, NAME);
        }
        return words(NumberWords.masked(plain, NUMBER), language);
    }

    private static String words(String text, SummaryLanguage language) {
        var words = TextWord.of(text);
        Set<TextWord> names = Collections.newSetFromMap(new IdentityHashMap<>());
        names.addAll(NAMES.in(words, language == SummaryLanguage.DE));
        var masked = new StringBuilder();
        int from = 0;
        for (var word : words) {
            int at = text.indexOf(word.shown(), from);
            masked.append(text, from, at);
            var placeholder = placeholder(word, names.contains(word), language);
            masked.append(placeholder == null || isPlaceholder(text, at) ? word.shown() : placeholder);
            from = at + word.shown().length();
        }
        return masked.append(text, from, text.length()).toString();
    }

    private static boolean isPlaceholder(String text, int at) {
        return at > 0
                && (text.startsWith(NUMBER, at - 1) || text.startsWith(NAME, at - 1) || text.startsWith(CODE, at - 1));
    }

    private static @Nullable String placeholder(TextWord word, boolean name, SummaryLanguage language) {
        if (word.isCode() || word.isAllCapitals() && WordShapes.isRare(word)) {
            return CODE;
        }
        if (!NumberWords.in(word.shown(), language).isEmpty()) {
            return NUMBER;
        }
        return name ? NAME : null;
    }
}
