package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Recognises words that are spelled out.
final class SpelledWords {
    private static final int SPELLED_MIN = 3;
    private static final int OPEN_MIN = 2;
    private static final int EXACT_MIN = 4;
    private static final Set<String> ALPHABET = Set.of(
            "alpha",
            "alfa",
            "bravo",
            "charlie",
            "delta",
            "echo",
            "foxtrot",
            "golf",
            "hotel",
            "india",
            "juliett",
            "juliet",
            "kilo",
            "lima",
            "mike",
            "november",
            "oscar",
            "papa",
            "quebec",
            "romeo",
            "sierra",
            "tango",
            "uniform",
            "victor",
            "whiskey",
            "xray",
            "yankee",
            "zulu",
            "dash",
            "dot",
            "hyphen",
            "underscore",
            "slash");

    private final GuardedTexts texts;

    SpelledWords(GuardedTexts texts) {
        this.texts = texts;
    }

    boolean standIn(List<TextWord> part) {
        long alphabet =
                part.stream().filter(word -> ALPHABET.contains(word.folded())).count();
        return alphabet >= SPELLED_MIN
                || singleLetters(part)
                || spell(part, word -> word.substring(0, 1))
                || spell(part, word -> word.substring(word.length() - 1));
    }

    private static boolean singleLetters(List<TextWord> part) {
        int letters = 0;
        int open = 0;
        for (var word : part) {
            char first = word.shown().charAt(0);
            boolean single = word.shown().length() == 1 && Character.isLetter(first) && !Character.isIdeographic(first);
            letters = single ? letters + 1 : 0;
            open = single && !CommonWords.isGrammar(word.folded()) ? open + 1 : 0;
            if (letters >= SPELLED_MIN || open >= OPEN_MIN) {
                return true;
            }
        }
        return false;
    }

    private boolean spell(List<TextWord> part, Function<String, String> letter) {
        var all = part.stream().map(word -> letter.apply(word.folded())).collect(Collectors.joining());
        var sentences = part.stream()
                .filter(TextWord::opens)
                .map(word -> letter.apply(word.folded()))
                .collect(Collectors.joining());
        return texts.words.occurIn(all)
                || texts.areRunIn(List.of(all))
                || sentences.length() >= EXACT_MIN && texts.words.containExactly(sentences)
                || all.length() >= EXACT_MIN && texts.words.containExactly(all);
    }
}
