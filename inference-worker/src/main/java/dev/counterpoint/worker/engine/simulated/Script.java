package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Walks along an [Outline], token by token, wherever a mask or a foreign prefix leads.
///
/// Its state changes in [#accept] alone and depends on the accepted tokens alone. [#choose] only looks. So
/// replaying a prefix brings it exactly where the attempt that said it was.
final class Script {
    /// Longest piece of the line that is tried in another spelling.
    private static final int RESPELLED_MAX = 12;
    /// Up to this many allowed tokens are compared; of more, the first sensible one is taken.
    private static final int COMPARED_MAX = 2048;

    private static final int LOOK_AHEAD_MAX = 64;

    private final HarmonyTokenizer tokenizer;
    private final Outline outline;
    private final String opening;
    private int[] line;
    private int position;
    private int[] said = new int[64];
    private int saidLength;
    private int messageBegin;
    private boolean openingCounts = true;

    Script(HarmonyTokenizer tokenizer, Outline outline) {
        this.tokenizer = tokenizer;
        this.outline = outline;
        this.opening = outline.opening();
        this.line = MarkedText.encode(tokenizer, outline.line());
    }

    /// The token to say next, or -1 when none is allowed.
    ///
    /// @param mask the set behind `allowed` where it has one; null when (nearly) everything is allowed
    int choose(IntPredicate allowed, long @Nullable [] mask) {
        if (position < line.length && allowed.test(line[position])) {
            return line[position];
        }
        for (var proposal : proposals()) {
            if (allowed.test(proposal[0])) {
                return proposal[0];
            }
        }
        return mask == null ? first(allowed) : search(allowed, mask);
    }

    /// This token was said.
    void accept(int token) {
        if (position < line.length && line[position] == token) {
            position++;
        } else {
            follow(token);
        }
        said = saidLength == said.length ? Arrays.copyOf(said, 2 * saidLength) : said;
        said[saidLength++] = token;
        if (token == SpecialTokens.START) {
            messageBegin = saidLength;
            openingCounts = false;
        }
    }

    private void follow(int token) {
        for (var proposal : proposals()) {
            if (proposal[0] == token) {
                line = proposal;
                position = 1;
                return;
            }
        }
        // A token nobody would have said: the line stays as it is and may fit again later.
    }

    /// Other ways to go on from here, best first, none empty. A function of what was accepted.
    private List<int[]> proposals() {
        var message = messageSoFar();
        var rest = MarkedText.decode(tokenizer, line, position, line.length);
        var proposals = new ArrayList<int[]>();
        for (var alternative : outline.alternatives().get()) {
            if (alternative.length() > message.length() && alternative.startsWith(message)) {
                add(proposals, alternative.substring(message.length()));
            }
        }
        addRespelled(proposals, rest);
        if (isStopped(message) || message.isEmpty()) {
            addEncore(proposals, message);
        } else {
            addJson(proposals, message);
            addJumps(proposals, rest);
        }
        return proposals;
    }

    private void addRespelled(List<int[]> proposals, String rest) {
        int end = Math.min(textLength(rest), RESPELLED_MAX);
        for (int length = end; length > 0; length--) {
            int[] piece = tokenizer.encode(rest.substring(0, length));
            if (piece.length == 1) {
                proposals.add(concat(piece, rest.substring(length)));
            }
        }
        if (end > 0 && Character.isWhitespace(rest.charAt(0))) {
            add(proposals, rest.stripLeading());
        }
    }

    private void addJumps(List<int[]> proposals, String rest) {
        for (int i = 0; i < rest.length(); i++) {
            if (MarkedText.isMark(rest.charAt(i))) {
                add(proposals, rest.substring(i));
            }
        }
        int text = Math.min(textLength(rest), LOOK_AHEAD_MAX);
        for (int i = 1; i < text; i++) {
            if (Character.isWhitespace(rest.charAt(i)) || Character.isWhitespace(rest.charAt(i - 1))) {
                add(proposals, rest.substring(i));
            }
        }
        add(proposals, " " + rest);
        add(proposals, "\n" + rest);
        for (char mark : new char[] {MarkedText.RETURN, MarkedText.CALL, MarkedText.END, MarkedText.MESSAGE}) {
            add(proposals, String.valueOf(mark));
        }
    }

    private void addJson(List<int[]> proposals, String message) {
        int body = message.indexOf(MarkedText.MESSAGE) + 1;
        if (body > 0) {
            for (var text : JsonImproviser.goOn(message.substring(body), outline.values())) {
                add(proposals, text);
            }
        }
    }

    /// Nobody stopped at the stop token, so the answer is given once more.
    private void addEncore(List<int[]> proposals, String message) {
        var again = outline.alternatives().get().getFirst();
        add(proposals, message.isEmpty() && !openingCounts ? again : MarkedText.START + again);
    }

    private void add(List<int[]> proposals, String marked) {
        int[] ids = MarkedText.encode(tokenizer, marked);
        if (ids.length > 0) {
            proposals.add(ids);
        }
    }

    private int[] concat(int[] head, String marked) {
        int[] tail = MarkedText.encode(tokenizer, marked);
        int[] whole = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, whole, head.length, tail.length);
        return whole;
    }

    private String messageSoFar() {
        var own = MarkedText.decode(tokenizer, said, messageBegin, saidLength);
        return openingCounts ? opening + own : own;
    }

    private static boolean isStopped(String message) {
        char last = message.isEmpty() ? ' ' : message.charAt(message.length() - 1);
        return last == MarkedText.RETURN || last == MarkedText.CALL || last == MarkedText.END;
    }

    private static int textLength(String rest) {
        int length = 0;
        while (length < rest.length() && !MarkedText.isMark(rest.charAt(length))) {
            length++;
        }
        return length;
    }

    private int first(IntPredicate allowed) {
        for (int id = 0; id < tokenizer.vocabularySize(); id++) {
            if (allowed.test(id)) {
                return id;
            }
        }
        return -1;
    }

    /// The longest readable token of a small set (so a name that is forced is spelt in few steps), the first
    /// of a large one.
    private int search(IntPredicate allowed, long[] mask) {
        int best = -1;
        int bestLength = -1;
        int compared = 0;
        for (int word = 0; word < mask.length && compared < COMPARED_MAX; word++) {
            for (long bits = mask[word]; bits != 0; bits &= bits - 1) {
                int id = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (id >= tokenizer.vocabularySize() || !allowed.test(id)) {
                    continue;
                }
                int length = readableLength(id);
                if (length > bestLength) {
                    best = id;
                    bestLength = length;
                }
                compared++;
            }
        }
        return best;
    }

    private int readableLength(int id) {
        if (SpecialTokens.isSpecial(id)) {
            return 0;
        }
        var text = tokenizer.decode(new int[] {id});
        return text.isBlank() || text.indexOf('\uFFFD') >= 0 ? 0 : text.length();
    }
}
