package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import dev.counterpoint.summarizer.describe.WordList;
import java.lang.Character.UnicodeScript;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Recognises talk about secrets and instructions, in every language.
final class SecrecyTalk {
    private static final CueTable SECRET = new CueTable();
    private static final Set<String> WORDS = new HashSet<>();
    private static final CueTable PERSONAL = new CueTable();
    private static final CueTable UNTOLD = new CueTable();

    static {
        for (var line : WordList.lines(SecrecyTalk.class, "secrecy")) {
            for (var cue : line.split(",")) {
                add(cue.strip());
            }
        }
    }

    private SecrecyTalk() {}

    private static void add(String cue) {
        if (cue.isEmpty()) {
            return;
        }
        boolean both = cue.charAt(0) == '!';
        boolean secretOnly = cue.charAt(0) == '?';
        boolean personal = cue.charAt(0) == '+';
        var bare = both || secretOnly || personal ? cue.substring(1) : cue;
        boolean open = bare.endsWith("*");
        var folded = CommonWords.folded(open ? bare.substring(0, bare.length() - 1) : bare);
        var script = UnicodeScript.of(folded.charAt(0));
        boolean unspaced =
                script == UnicodeScript.HAN || script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA;
        var pattern = unspaced ? folded : " " + folded + (open ? "" : " ");
        if (both || secretOnly) {
            SECRET.add(pattern);
            WORDS.addAll(List.of(folded.split(" ")));
        }
        if (personal) {
            PERSONAL.add(pattern);
        } else if (!secretOnly) {
            UNTOLD.add(pattern);
        }
    }

    /// True if all that the sentence says is to be kept.
    static boolean makesSecret(String sentence) {
        return SECRET.occurIn(sentence);
    }

    /// True if it speaks of what concerns one person alone.
    static boolean isPersonal(String sentence) {
        return PERSONAL.occurIn(sentence);
    }

    /// True for a word of such talk: by itself it is no secret.
    static boolean holds(String folded) {
        return WORDS.contains(folded);
    }

    /// True if a summary has no business to say this.
    static boolean isUntold(String text) {
        return UNTOLD.occurIn(text);
    }
}
