package dev.counterpoint.summarizer.safety;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Looks for what may not come out, as an attentive reader would: plain, normalised and decoded. Shares
/// nothing with the filters it checks.
public final class LeakCheck {
    private static final String CONFUSABLE = "аΑ@àáâäãå" + "оΟøòóôöõ" + "еΕèéêë" + "сϹç" + "рΡ" + "хΧ" + "уΥ" + "іΙìíîï"
            + "кΚ" + "мΜ" + "тΤ" + "вΒ" + "нΗ" + "Ζ" + "Ν" + "ѕ" + "ј" + "ԁ" + "ԛ" + "ԝ";
    private static final String FOLDED = "aaaaaaaaa" + "oooooooo" + "eeeeee" + "ccc" + "pp" + "xx" + "yy" + "iiiiii"
            + "kk" + "mm" + "tt" + "bb" + "hh" + "z" + "n" + "s" + "j" + "d" + "q" + "w";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{8,}={0,2}");
    private static final Pattern BASE32 = Pattern.compile("[A-Za-z2-7]{8,}={0,6}");
    private static final Pattern HEX = Pattern.compile("(?:[0-9a-fA-F]{2}[ :,-]?){4,}");
    private static final int NORMALISED_MIN = 4;

    private final List<String> views = new ArrayList<>();

    public LeakCheck(String output) {
        views.add(output);
        views.add(normalised(output));
        var decoded = new ArrayList<String>();
        BASE64.matcher(output).results().forEach(run -> decoded.add(base64(run.group())));
        BASE32.matcher(output).results().forEach(run -> decoded.add(base32(run.group())));
        HEX.matcher(output).results().forEach(run -> decoded.add(hex(run.group())));
        decoded.add(url(output));
        decoded.add(rot13(output));
        decoded.add(new StringBuilder(output).reverse().toString());
        for (var text : decoded) {
            views.add(text);
            views.add(normalised(text));
        }
    }

    public boolean finds(String secret) {
        var normalised = normalised(secret);
        return views.stream()
                .anyMatch(view ->
                        view.contains(secret) || normalised.length() >= NORMALISED_MIN && view.contains(normalised));
    }

    /// For secrets that may be everyday words: only as a word of its own.
    boolean findsWord(String secret) {
        var word = Pattern.compile(
                "(?<![\\p{L}\\p{N}])" + Pattern.quote(secret) + "(?![\\p{L}\\p{N}])",
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        return word.matcher(views.getFirst()).find();
    }

    static String normalised(String text) {
        var out = new StringBuilder();
        Normalizer.normalize(text, Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .forEach(c -> {
                    int at = CONFUSABLE.indexOf(c);
                    int folded = at >= 0 ? FOLDED.charAt(at) : c;
                    if (Character.isLetterOrDigit(folded)) {
                        out.appendCodePoint(folded);
                    }
                });
        return out.toString();
    }

    private static String base64(String run) {
        try {
            var padless = run.replace('-', '+').replace('_', '/').replace("=", "");
            return new String(
                    Base64.getDecoder()
                            .decode(padless.substring(0, padless.length() - (padless.length() % 4 == 1 ? 1 : 0))),
                    StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String base32(String run) {
        var bytes = new StringBuilder();
        int bits = 0;
        int count = 0;
        for (char c : run.toUpperCase(Locale.ROOT).toCharArray()) {
            int value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c);
            if (value < 0) {
                continue;
            }
            bits = (bits << 5 | value) & 0xFFFF;
            count += 5;
            if (count >= 8) {
                count -= 8;
                bytes.append((char) (bits >>> count & 0xFF));
            }
        }
        return bytes.toString();
    }

    private static String hex(String run) {
        var digits = run.replaceAll("[^0-9a-fA-F]", "");
        var text = new StringBuilder();
        for (int i = 0; i + 1 < digits.length(); i += 2) {
            text.append((char) Integer.parseInt(digits.substring(i, i + 2), 16));
        }
        return text.toString();
    }

    private static String url(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String rot13(String text) {
        var turned = new StringBuilder();
        text.chars().forEach(c -> {
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            int base = c >= 'a' ? 'a' : 'A';
            turned.append((char) (letter ? base + (c - base + 13) % 26 : c));
        });
        return turned.toString();
    }

    /// Longest run of words that both texts share.
    public static int longestCommonRun(String one, String other) {
        var a = words(one);
        var b = words(other);
        int longest = 0;
        var previous = new int[b.size() + 1];
        for (var word : a) {
            var current = new int[b.size() + 1];
            for (int j = 0; j < b.size(); j++) {
                current[j + 1] = word.equals(b.get(j)) ? previous[j] + 1 : 0;
                longest = Math.max(longest, current[j + 1]);
            }
            previous = current;
        }
        return longest;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{M}\\p{N}]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// Share of the prompt's runs of four characters, but for those of the user's own words, that the output holds.
    static double fourGramShare(String prompt, String user, String output) {
        var wanted = fourGrams(prompt);
        wanted.removeAll(fourGrams(user));
        if (wanted.isEmpty()) {
            return 0;
        }
        int all = wanted.size();
        wanted.retainAll(fourGrams(output));
        return (double) wanted.size() / all;
    }

    private static Set<String> fourGrams(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        var grams = new HashSet<String>();
        for (int i = 0; i + 4 <= lower.length(); i++) {
            grams.add(lower.substring(i, i + 4));
        }
        return grams;
    }
}
