package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.redact.EnglishWords;
import dev.counterpoint.summarizer.redact.Typography;
import dev.counterpoint.summarizer.redact.UserWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Fragments of the confidential texts that may not be told: codes, rare words, marked words, numbers, and their
/// wording.
///
/// Words that the user said are no secret. Immutable.
final class ConfidentialFragments {
    /// Characters that can be guarded; of a request with more, nothing is told.
    static final int GUARDED_MAX = 1_000_000;
    /// Words at least this rare are distinctive.
    private static final int RARE = 60_000;
    private static final int PHRASE_MAX = 6;
    private static final int MARKED_LENGTH = 60;
    private static final int POSTINGS_MAX = 400;
    private static final int SHARED_MIN = 3;
    /// Longest run of words that may be the same, grammar and all.
    private static final int RUN_MAX = 4;
    /// Words in quotation marks of any kind, in capitals, or that are a name of several words.
    private static final Pattern MARKED =
            Pattern.compile("[\"“„«「『‘]([^\"“”„«»「」『』’]{1,60})[\"”“»」』’]|(?<![\\p{L}\\p{N}])'([^'\\n]{1,60})'(?!\\p{L})"
                    + "|(?<![\\p{L}\\p{N}])(\\p{Lu}{2,}(?:[ -]\\p{Lu}{2,}){0,4})(?![\\p{L}\\p{N}])"
                    + "|(?<=[\\p{Ll},] )(\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+){1,4})");
    private static final Set<String> SHOUTED = Set.of(
            "always",
            "never",
            "not",
            "must",
            "only",
            "important",
            "note",
            "json",
            "html",
            "http",
            "api",
            "user",
            "eur",
            "usd",
            "sql",
            "xml",
            "url",
            "utc",
            "pdf",
            "csv",
            "yaml",
            "markdown",
            "english");

    private final UserWords user;
    private final Set<String> words = new HashSet<>();
    private final Set<String> phrases = new HashSet<>();
    /// Runs of words, as hashes: a collision withholds a sentence, it never lets one pass.
    private final Set<Long> runs = new HashSet<>();
    private final CodeMatcher needles = new CodeMatcher();
    private final Map<String, List<Integer>> postings = new HashMap<>();
    private final List<Integer> sizes = new ArrayList<>();

    ConfidentialFragments(List<String> texts, UserWords user) {
        this.user = user;
        for (var text : texts) {
            addCodes(text);
            addMarked(text);
            for (var sentence : text.split("[.!?;\\n{}]+")) {
                addSentence(TextWords.of(sentence));
            }
            addRuns(TextWords.of(text));
        }
    }

    /// Tokens that no dictionary has: all of it, and its parts.
    private void addCodes(String text) {
        for (var chunk : text.split("\\s+")) {
            var code = Typography.squeezed(chunk);
            var parts = TextWords.of(chunk);
            boolean mixed =
                    chunk.chars().anyMatch(Character::isDigit) && chunk.chars().anyMatch(Character::isLetter);
            boolean joined = parts.size() > 1 && chunk.matches(".*[\\p{L}\\p{N}][-_@/.:~+=#]+[\\p{L}\\p{N}].*");
            if ((mixed || joined) && !user.saidAll(code)) {
                needles.add(code);
            }
        }
        for (var word : TextWords.of(text)) {
            boolean number = TextWords.isDigits(word);
            boolean distinctive = number ? word.length() > 2 : word.length() > 3 && isRare(word);
            if (distinctive && !user.said(word)) {
                words.add(TextWords.stem(word));
                needles.add(number || word.length() < 7 ? "" : word);
            }
        }
        for (var number : text.split("[^\\d.,:]+")) {
            var digits = number.replaceAll("\\D", "");
            if (digits.length() > 2 && !user.said(number)) {
                words.add(digits);
            }
        }
    }

    private static boolean isRare(String word) {
        int rank = EnglishWords.rank(word);
        return rank > RARE;
    }

    private void addMarked(String text) {
        var matcher = MARKED.matcher(text);
        int from = 0;
        // A quotation may hold another: go on behind the opening mark.
        while (from < text.length() && matcher.find(from)) {
            from = matcher.start() + 1;
            var marked = matcher.group().replaceAll("^[\"“„«「『‘']|[\"”“»」』’']$", "");
            from = Math.max(from, matcher.group(3) != null || matcher.group(4) != null ? matcher.end() : from);
            addPhrase(TextWords.of(marked));
        }
    }

    private void addPhrase(List<String> phrase) {
        if (phrase.size() == 1) {
            var word = phrase.getFirst();
            if (word.length() > 1 && !user.said(word) && !EnglishWords.isGrammar(word) && !SHOUTED.contains(word)) {
                words.add(TextWords.stem(word));
            }
        } else if (phrase.size() <= PHRASE_MAX
                && phrase.stream().anyMatch(word -> TextWords.isContent(word) && !user.said(word))) {
            phrases.add(String.join(" ", phrase));
        }
    }

    private void addSentence(List<String> sentence) {
        var stems = new HashSet<String>();
        for (var word : sentence) {
            if (TextWords.isContent(word) && !user.said(word)) {
                stems.add(TextWords.stem(word));
            }
        }
        for (var stem : stems) {
            var places = postings.computeIfAbsent(stem, _ -> new ArrayList<>());
            if (places.size() < POSTINGS_MAX) {
                places.add(sizes.size());
            }
        }
        sizes.add(stems.size());
    }

    private void addRuns(List<String> text) {
        for (int i = 0; i < text.size(); i++) {
            if (i + RUN_MAX < text.size()) {
                runs.add(hash(text.subList(i, i + RUN_MAX + 1)));
            }
            if (i + 2 < text.size() && isTelling(text.subList(i, i + 3), 2)) {
                runs.add(hash(text.subList(i, i + 3)));
            }
            boolean counted =
                    i + 1 < text.size() && (TextWords.isDigits(text.get(i)) || TextWords.isDigits(text.get(i + 1)));
            if (counted && isTelling(text.subList(i, i + 2), 1)) {
                runs.add(hash(text.subList(i, i + 2)));
            }
        }
    }

    private static long hash(List<String> run) {
        long hash = run.size();
        for (var word : run) {
            hash = hash * 0x9E3779B97F4A7C15L + word.hashCode();
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private boolean isTelling(List<String> run, int contentMin) {
        return run.stream()
                        .filter(word -> TextWords.isContent(word) && !user.said(word))
                        .count()
                >= contentMin;
    }

    /// True if the sentence tells something of the confidential texts, by itself or as the end of what was shown
    /// before it.
    ///
    /// @param before the last words shown
    boolean toldBy(String sentence, List<String> before) {
        var own = TextWords.of(sentence);
        var row = new ArrayList<>(before);
        row.addAll(own);
        return own.stream().anyMatch(word -> words.contains(TextWords.stem(word)))
                || numbersIn(sentence)
                || needles.occurIn(Typography.squeezed(String.join("", row)))
                || repeats(row)
                || paraphrases(own);
    }

    private boolean numbersIn(String sentence) {
        for (var number : sentence.split("[^\\d.,:]+")) {
            var digits = number.replaceAll("\\D", "");
            if (digits.length() > 2 && words.contains(digits)) {
                return true;
            }
        }
        return false;
    }

    private boolean repeats(List<String> row) {
        for (int length = 2; length <= PHRASE_MAX; length++) {
            for (int i = 0; i + length <= row.size(); i++) {
                var run = row.subList(i, i + length);
                boolean told = runs.contains(hash(run)) && !user.saidAll(String.join(" ", run));
                if (told || phrases.contains(String.join(" ", run))) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The content of the sentence lies mostly in one sentence of the texts, in any order, or covers most of it.
    private boolean paraphrases(List<String> own) {
        var stems = new HashSet<String>();
        own.stream()
                .filter(word -> TextWords.isContent(word) && !user.said(word))
                .forEach(word -> stems.add(TextWords.stem(word)));
        var shared = new HashMap<Integer, Integer>();
        for (var stem : stems) {
            for (int place : postings.getOrDefault(stem, List.of())) {
                int count = shared.merge(place, 1, Integer::sum);
                if (count >= SHARED_MIN && (2 * count >= stems.size() || 5 * count >= 3 * sizes.get(place))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "ConfidentialFragments[" + words.size() + "]";
    }
}
