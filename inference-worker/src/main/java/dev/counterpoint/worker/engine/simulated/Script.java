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
/// Its state depends on the accepted tokens alone.
final class Script implements Speaker {
    /// Longest piece of the line that is tried in another spelling.
    private static final int RESPELLED_MAX = 12;
    /// Up to this many allowed tokens are compared; of more, the first sensible one is taken.
    private static final int COMPARED_MAX = 2048;

    /// So many improvised tokens of one kind in a row are enough.
    private static final int TIRED_AFTER = 6;

    private enum Kind {
        WORD,
        NUMBER,
        SIGN
    }

    /// Characters that surely hold the first token of a line.
    private static final int FIRST_TOKEN_MAX = 256;

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

    @Override
    public int choose(IntPredicate allowed, long @Nullable [] mask) {
        if (position < line.length && allowed.test(line[position])) {
            return line[position];
        }
        for (var proposal : proposals()) {
            if (allowed.test(proposal.first())) {
                return proposal.first();
            }
        }
        return mask == null ? first(allowed) : search(allowed, mask);
    }

    @Override
    public void accept(int token) {
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
            if (proposal.first() == token) {
                line = concat(
                        MarkedText.encode(tokenizer, proposal.head()), MarkedText.encode(tokenizer, proposal.rest()));
                position = 1;
                if (line[0] != token) {
                    // A piece longer than what was looked at: spell it on from here.
                    var spelled = tokenizer.decode(new int[] {token});
                    line = concat(
                            new int[] {token},
                            MarkedText.encode(tokenizer, proposal.rest().substring(spelled.length())));
                }
                return;
            }
        }
        // A token nobody would have said: the line stays as it is and may fit again later.
    }

    /// Another way to go on: a line whose head is encoded by itself, so that it begins with the token `first`.
    private record Proposal(int first, String head, String rest) {}

    /// Other ways to go on from here, best first. A function of what was accepted.
    private List<Proposal> proposals() {
        var message = messageSoFar();
        var rest = MarkedText.decode(tokenizer, line, position, line.length);
        var proposals = new ArrayList<Proposal>();
        for (var alternative : outline.alternatives().get()) {
            if (alternative.length() > message.length() && alternative.startsWith(message)) {
                addSpellings(proposals, alternative.substring(message.length()));
            }
        }
        addSpellings(proposals, rest);
        if (!rest.isEmpty() && Character.isWhitespace(rest.charAt(0))) {
            addSpellings(proposals, rest.stripLeading());
        }
        if (isStopped(message) || message.isEmpty()) {
            addEncore(proposals, message);
        } else {
            addJson(proposals, message);
            addJumps(proposals, rest);
        }
        return proposals;
    }

    private void addSpellings(List<Proposal> proposals, String marked) {
        add(proposals, marked);
        for (int length = Math.min(textLength(marked), RESPELLED_MAX); length > 0; length--) {
            var head = marked.substring(0, length);
            int[] piece = tokenizer.encode(head);
            if (piece.length == 1) {
                proposals.add(new Proposal(piece[0], head, marked.substring(length)));
            }
        }
    }

    private void addJumps(List<Proposal> proposals, String rest) {
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

    private void addJson(List<Proposal> proposals, String message) {
        int body = message.indexOf(MarkedText.MESSAGE) + 1;
        if (body > 0) {
            for (var text : JsonImproviser.goOn(message.substring(body), outline.values())) {
                addSpellings(proposals, text);
            }
        }
    }

    /// Nobody stopped at the stop token, so the answer is given once more.
    private void addEncore(List<Proposal> proposals, String message) {
        var again = outline.alternatives().get().getFirst();
        add(proposals, message.isEmpty() && !openingCounts ? again : MarkedText.START + again);
    }

    private void add(List<Proposal> proposals, String marked) {
        if (!marked.isEmpty()) {
            int[] begin = MarkedText.encode(tokenizer, marked.substring(0, Math.min(marked.length(), FIRST_TOKEN_MAX)));
            proposals.add(new Proposal(begin[0], "", marked));
        }
    }

    private static int[] concat(int[] head, int[] tail) {
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
        var tired = tired();
        int best = -1;
        int bestLength = -3;
        int compared = 0;
        for (int word = 0; word < mask.length && compared < COMPARED_MAX; word++) {
            for (long bits = mask[word]; bits != 0; bits &= bits - 1) {
                int id = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (id >= tokenizer.vocabularySize() || !allowed.test(id)) {
                    continue;
                }
                int length = tired == kind(id) ? -2 : readableLength(id);
                if (length > bestLength) {
                    best = id;
                    bestLength = length;
                }
                compared++;
            }
        }
        return best;
    }

    /// The kind of token that has been said over and over, so that a constraint such as `[0-9]+` comes to an
    /// end.
    private @Nullable Kind tired() {
        if (saidLength < TIRED_AFTER) {
            return null;
        }
        var kind = kind(said[saidLength - 1]);
        for (int i = saidLength - TIRED_AFTER; i < saidLength; i++) {
            if (kind(said[i]) != kind) {
                return null;
            }
        }
        return kind;
    }

    private Kind kind(int id) {
        var text = SpecialTokens.isSpecial(id)
                ? ""
                : tokenizer.decode(new int[] {id}).strip();
        int first = text.isEmpty() ? ' ' : text.codePointAt(0);
        return Character.isLetter(first) ? Kind.WORD : Character.isDigit(first) ? Kind.NUMBER : Kind.SIGN;
    }

    private int readableLength(int id) {
        if (SpecialTokens.isSpecial(id)) {
            return 0;
        }
        var text = tokenizer.decode(new int[] {id});
        return text.isBlank() || text.indexOf('\uFFFD') >= 0 ? 0 : text.length();
    }
}
