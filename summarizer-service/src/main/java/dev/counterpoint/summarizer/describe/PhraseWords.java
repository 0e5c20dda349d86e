package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What a language's phrases are not made of, so that nouns are left: verbs, adverbs, greetings.
///
/// @param unquoted words, in the form of [CueText#normal(String)]; in scripts without blanks what ends a run of
/// characters
/// @param endings of words that are no nouns
/// @param particles that hang on a noun and belong to no phrase
record PhraseWords(Set<String> unquoted, List<String> endings, List<Particle> particles) {
    /// @param text of a particle
    /// @param after the last sound of the noun before it
    record Particle(String text, Sound after) {
        /// Whether it is one at the end of the word, and not a part of the noun.
        boolean ends(String word) {
            int noun = word.length() - text.length();
            return noun >= NOUN_MIN && word.endsWith(text) && after.ends(word.charAt(noun - 1));
        }
    }

    /// Of a Korean syllable, which Unicode orders by it.
    enum Sound {
        ANY,
        CONSONANT,
        VOWEL;

        private static final char FIRST_SYLLABLE = '가';
        private static final int FINALS = 28;

        boolean ends(char syllable) {
            boolean vowel = (syllable - FIRST_SYLLABLE) % FINALS == 0;
            return this == ANY || vowel == (this == VOWEL);
        }
    }

    private static final Map<SummaryLanguage, PhraseWords> ALL = readAll();
    /// Letters of a word whose ending tells; a syllable of Korean has two or three.
    private static final int ENDED_MIN = 5;

    private static final int ENDED_SYLLABLES_MIN = 3;
    /// Characters of what ends a run in a script without blanks.
    private static final int UNSPACED_MAX = 5;
    /// Syllables that are left of a word without its particle.
    private static final int NOUN_MIN = 2;

    static PhraseWords of(SummaryLanguage language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    boolean isQuotable(String word) {
        var normal = CueText.normal(word).strip();
        var last = normal.substring(normal.lastIndexOf(' ') + 1);
        int least = Character.UnicodeScript.of(word.charAt(0)) == Character.UnicodeScript.HANGUL
                ? ENDED_SYLLABLES_MIN
                : ENDED_MIN;
        boolean ended = word.length() >= least && endings.stream().anyMatch(last::endsWith);
        return normal.length() > 1 && !unquoted.contains(normal) && !unquoted.contains(last) && !ended;
    }

    /// In a script without blanks.
    ///
    /// @return the length of the longest of `unquoted` that stands there, 0 where none does
    int unquotedAt(String text, int at) {
        for (int length = UNSPACED_MAX; length > 0; length--) {
            if (at + length <= text.length() && unquoted.contains(text.substring(at, at + length))) {
                return length;
            }
        }
        return 0;
    }

    /// Whether a particle ends it, and with it a phrase.
    boolean hasParticle(String word) {
        return particles.stream().anyMatch(particle -> particle.ends(word));
    }

    /// Without the longest particle at its end.
    String withoutParticle(String word) {
        int longest = particles.stream()
                .filter(particle -> particle.ends(word))
                .mapToInt(particle -> particle.text().length())
                .max()
                .orElse(0);
        return word.substring(0, word.length() - longest);
    }

    private static Map<SummaryLanguage, PhraseWords> readAll() {
        var all = new EnumMap<SummaryLanguage, PhraseWords>(SummaryLanguage.class);
        for (var language : SummaryLanguage.values()) {
            all.put(language, read(language));
        }
        return all;
    }

    private static PhraseWords read(SummaryLanguage language) {
        var unquoted = new HashSet<>(LanguageFile.of(language).stopWords());
        List<String> endings = List.of();
        var particles = new ArrayList<Particle>();
        for (var line : WordList.lines(PhraseWords.class, "phrases/" + language.tag())) {
            var cells = line.split(" \\| ");
            var words = Arrays.stream(cells[1].strip().split(" "));
            switch (cells[0]) {
                case "unquoted" -> words.map(Cue::normal).forEach(unquoted::add);
                case "endings" -> endings = words.map(Cue::normal).toList();
                case "particles" ->
                    words.map(text -> new Particle(text, Sound.ANY)).forEach(particles::add);
                case "particles after a consonant" ->
                    words.map(text -> new Particle(text, Sound.CONSONANT)).forEach(particles::add);
                case "particles after a vowel" ->
                    words.map(text -> new Particle(text, Sound.VOWEL)).forEach(particles::add);
                default -> throw new IllegalStateException("no list " + cells[0]);
            }
        }
        return new PhraseWords(unquoted, endings, particles);
    }
}
