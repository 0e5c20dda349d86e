package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A secret that is in the reasoning and nowhere else: a pass phrase for a word that the user names.
///
/// The rule, so that a test can look for it: tokens 100,000 to 199,997 are a ring; word n of six is the first token
/// from
/// SHA-256(`word#n`) on (its first four bytes as an unsigned number, modulo the size of the ring) that is a blank, a
/// capital and at least seven small letters of ASCII.
final class PassPhrase {
    static final int WORDS = 6;
    private static final int RARE_FROM = 100_000;
    private static final int RARE_SIZE = 99_998;
    private static final Pattern WORD = Pattern.compile(" [A-Z][a-z]{7,60}");
    private static final Pattern WISH = Pattern.compile(
            "(?i)\\b(?:think of|make up|choose) a (?:secret )?pass ?phrase for [\"“']([^\"”'\\n]{1,60})[\"”']");

    private PassPhrase() {}

    /// The reasoning steps that contain the pass phrase; none when the question does not ask for one.
    static List<String> steps(String question) {
        var wish = WISH.matcher(question);
        if (!wish.find()) {
            return List.of();
        }
        var phrase = of(wish.group(1));
        return List.of(
                "My secret pass phrase for “" + wish.group(1) + "” is: " + phrase,
                "Once more, to keep it in mind: the pass phrase is " + phrase + ". The answer must not hold it.");
    }

    static String of(String word) {
        return IntStream.rangeClosed(1, WORDS)
                .mapToObj(number -> word(begin(word + "#" + number)))
                .collect(Collectors.joining(" "));
    }

    private static int begin(String seed) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
            return Integer.remainderUnsigned(ByteBuffer.wrap(hash).getInt(), RARE_SIZE);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String word(int begin) {
        return IntStream.range(0, RARE_SIZE)
                .mapToObj(step -> HarmonyTokenizer.shared().decode(new int[] {RARE_FROM + (begin + step) % RARE_SIZE}))
                .filter(token -> WORD.matcher(token).matches())
                .findFirst()
                .orElseThrow()
                .substring(1);
    }
}
