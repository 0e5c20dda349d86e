package dev.counterpoint.summarizer.describe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Names of code, files and products that a user's message has in quotation marks or backquotes: all that a summary may
/// quote.
final class QuotedNames {
    private static final int NAMES_MAX = 3;
    private static final String NAME = "[\\p{L}_][\\p{L}\\p{N}._+#-]{1,39}";
    private static final Pattern BLOCK = Pattern.compile("(?s)```.*?(?:```|\\z)");
    private static final Pattern CODE = Pattern.compile("`(" + NAME + ")(?:\\(\\))?`");
    /// A file, code in camel or snake case, or one to three words with capitals.
    private static final String FILE = "[\\p{L}_][\\p{L}\\p{N}_-]{0,30}\\.\\p{Ll}[\\p{Ll}\\p{N}]{1,4}";
    private static final String IDENTIFIER =
            "\\p{L}[\\p{L}\\p{N}]{0,20}_[\\p{L}\\p{N}_]{1,20}|\\p{Ll}{2,20}(?:\\p{Lu}\\p{Ll}{1,20}){1,3}";
    private static final String PRODUCT =
            "\\p{Lu}[\\p{L}\\p{N}+#-]{1,20}(?: (?:\\p{Lu}[\\p{L}\\p{N}+#-]{0,20}|\\p{N}{1,4})){0,2}";
    private static final Pattern QUOTED =
            Pattern.compile("(?:[\"“„«「『])(" + FILE + "|" + IDENTIFIER + "|" + PRODUCT + ")(?:\\(\\))?(?:[\"”“»」』])");
    /// A long name with small letters, capitals and digits is a key.
    private static final Pattern KEY = Pattern.compile("(?=.*\\d)(?=.*\\p{Ll})(?=.*\\p{Lu}).{16,}|.*\\d{5}.*");

    private QuotedNames() {}

    static List<String> of(String message) {
        var text = BLOCK.matcher(message).replaceAll(" ");
        var names = new LinkedHashSet<String>();
        for (var pattern : List.of(CODE, QUOTED)) {
            pattern.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !KEY.matcher(name).matches())
                    .forEach(names::add);
        }
        return names.stream().limit(NAMES_MAX).toList();
    }
}
