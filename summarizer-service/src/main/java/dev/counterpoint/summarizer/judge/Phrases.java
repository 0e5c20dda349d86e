package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.redact.WordList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A list of phrases to look for in a row of words. Immutable.
///
/// One phrase a line, its words apart; `a|b` either, `*` any ending, `~` up to two other words in between.
final class Phrases {
    private static final int GAP = 2;

    /// By the first letter of the first word.
    private final Map<Character, List<List<Element>>> phrases = new HashMap<>();

    private Phrases(List<String> lines) {
        for (var line : lines) {
            var elements = new ArrayList<Element>();
            boolean gap = false;
            for (var part : line.split(" +")) {
                if (part.equals("~")) {
                    gap = true;
                } else {
                    elements.add(Element.of(part, gap));
                    gap = false;
                }
            }
            elements.getFirst()
                    .initials()
                    .forEach(initial -> phrases.computeIfAbsent(initial, _ -> new ArrayList<>())
                            .add(List.copyOf(elements)));
        }
    }

    static Phrases read(String name) {
        return new Phrases(WordList.lines(Phrases.class, name));
    }

    static Phrases of(List<String> lines) {
        return new Phrases(lines);
    }

    boolean occurIn(List<String> words) {
        return occurIn(words, _ -> false);
    }

    /// @param exempt words with which no phrase may begin
    boolean occurIn(List<String> words, Predicate<String> exempt) {
        return occur(words, (_, word) -> exempt.test(word));
    }

    /// @param exempt words that are no phrase by themselves; as part of a longer one they count
    boolean occurBesides(List<String> words, Predicate<String> exempt) {
        return occur(words, (phrase, word) -> phrase.size() == 1 && exempt.test(word));
    }

    private boolean occur(List<String> words, BiPredicate<List<Element>, String> exempt) {
        for (int i = 0; i < words.size(); i++) {
            for (var phrase : phrases.getOrDefault(words.get(i).charAt(0), List.of())) {
                if (matches(phrase, words, i) && !exempt.test(phrase, words.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean matches(List<Element> phrase, List<String> words, int from) {
        int at = from;
        for (var element : phrase) {
            int last = Math.min(words.size() - 1, at + (element.gap ? GAP : 0));
            int found = at;
            while (found <= last && !element.matches(words.get(found))) {
                found++;
            }
            if (found > last) {
                return false;
            }
            at = found + 1;
        }
        return true;
    }

    private record Element(Set<String> words, List<String> beginnings, boolean gap) {
        static Element of(String part, boolean gap) {
            var alternatives = Arrays.asList(part.split("\\|"));
            return new Element(
                    alternatives.stream().filter(word -> !word.endsWith("*")).collect(Collectors.toUnmodifiableSet()),
                    alternatives.stream()
                            .filter(word -> word.endsWith("*"))
                            .map(word -> word.substring(0, word.length() - 1))
                            .toList(),
                    gap);
        }

        boolean matches(String word) {
            return words.contains(word) || beginnings.stream().anyMatch(word::startsWith);
        }

        Set<Character> initials() {
            var all = new ArrayList<>(words);
            all.addAll(beginnings);
            return all.stream().map(word -> word.charAt(0)).collect(Collectors.toSet());
        }
    }
}
