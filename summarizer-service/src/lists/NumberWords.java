import com.ibm.icu.text.RuleBasedNumberFormat;
import com.ibm.icu.util.ULocale;
import java.util.TreeSet;

/// Prints the number words of a language, one a line, as ICU's rules spell them.
void main(String[] args) {
    var format = new RuleBasedNumberFormat(new ULocale(args[0]), RuleBasedNumberFormat.SPELLOUT);
    var words = new TreeSet<String>();
    for (var rules : format.getRuleSetNames()) {
        if (rules.startsWith("%spellout")) {
            for (long n = 0; n <= 10_000; n++) {
                add(words, format.format(n, rules));
            }
            for (long n = 100_000; n <= 1_000_000_000_000L; n *= 10) {
                add(words, format.format(n, rules));
                add(words, format.format(2 * n, rules));
            }
        }
    }
    words.forEach(IO::println);
}

/// Compounds in one word and in their parts.
void add(TreeSet<String> words, String text) {
    var lower = text.toLowerCase().replace("\u00ad", "");
    words.addAll(List.of(lower.split("[^\\p{L}\\p{M}]+")));
    words.add(lower.replaceAll("[^\\p{L}\\p{M}]+", ""));
}
