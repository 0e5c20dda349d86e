package dev.counterpoint.worker.engine.simulated;

import java.nio.charset.StandardCharsets;

/// Words that tell who said them, after what: each is a pure function of the question, of all such words before it,
/// whoever said those, and of the name of the attempt that says it. So whoever knows the question and which attempt
/// spoke when can work out the whole text, and a word that is lost, repeated or put elsewhere makes all that follow
/// wrong.
///
/// The rule, in numbers of 64 bits that wrap around, with [Wording#mix]:
///
/// * `fold(text)`: from 0, for each byte of its UTF-8 (0 to 255): `h = mix(h ^ byte)`
/// * `said(0) = fold(question)`
/// * word `n` is number `i = mix(said(n) ^ fold(attempt)) >>> 58`, of 64
/// * `said(n+1) = mix(said(n) ^ (i + 1))`, where `i` is -1 for what is none of the words
/// * number `i` is spelled: a blank, then `bcdfghklmnprstvw[i / 4]`, then `aeio[i % 4]`
final class VerifiableWords {
    static final int COUNT = 64;
    private static final String CONSONANTS = "bcdfghklmnprstvw";
    private static final String VOWELS = "aeio";
    private static final int UNUSED_BITS = 58;

    private final long attempt;
    private long said;

    /// @param attempt its name
    VerifiableWords(String question, String attempt) {
        this.attempt = fold(attempt);
        said = fold(question);
    }

    private static long fold(String text) {
        long folded = 0;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            folded = Wording.mix(folded ^ (octet & 0xFF));
        }
        return folded;
    }

    /// The number of the next word.
    int next() {
        return (int) (Wording.mix(said ^ attempt) >>> UNUSED_BITS);
    }

    /// Word `number` was said, -1 for what is none.
    void said(int number) {
        said = Wording.mix(said ^ (number + 1));
    }

    static String spelled(int number) {
        return " " + CONSONANTS.charAt(number / VOWELS.length()) + VOWELS.charAt(number % VOWELS.length());
    }
}
