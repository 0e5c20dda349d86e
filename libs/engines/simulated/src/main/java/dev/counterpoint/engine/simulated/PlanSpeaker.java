package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.AnswerPlanner.AnswerPlan;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Says an [AnswerPlan], token by token, wherever a mask or a foreign prefix leads. The plan is encoded in chunks, so a
/// token that leaves the plan costs a bounded amount of work however long the plan is.
final class PlanSpeaker implements TokenSpeaker {
    /// Characters that are encoded at once.
    private static final int CHUNK = 512;
    /// Characters that surely hold the first token of a text.
    private static final int FIRST_TOKEN_MAX = 64;
    /// Longest piece of the line that is tried in another spelling.
    private static final int RESPELLED_MAX = 12;
    /// Characters of the line that may be skipped.
    private static final int SKIPPED_MAX = 64;
    /// Control tokens of the line that are tried next.
    private static final int MARKS_MAX = 8;
    /// So many allowed tokens are compared, when there are more.
    private static final int COMPARED_MAX = 2048;
    /// So many improvised tokens of one kind in a row are enough.
    private static final int TIRED_AFTER = 6;

    private enum Kind {
        WORD,
        NUMBER,
        SIGN
    }

    private final HarmonyTokenizer tokenizer = HarmonyTokenizer.shared();
    private final AnswerPlan plan;
    /// The tokens to say next, and behind them the text that is not encoded yet.
    private int[] chunk = {};

    private int position;
    private String line;
    private int encodedUntil;
    /// The message so far, from its header on, and the bytes of a character that is not whole yet.
    private final StringBuilder message = new StringBuilder();

    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private JsonContinuation json = new JsonContinuation();
    private boolean inBody;
    private @Nullable Kind kind;
    private int sameKind;

    PlanSpeaker(AnswerPlan plan) {
        this.plan = plan;
        this.line = plan.line();
        plan.opening().chars().forEach(each -> append((char) each));
        encodeNext();
    }

    private void encodeNext() {
        int end = chunkEnd(line, encodedUntil);
        chunk = HarmonyMarkup.encode(line.substring(encodedUntil, end));
        position = 0;
        encodedUntil = end;
    }

    /// A place where the text can be cut without changing its tokens: before a mark, or before the first blank behind a
    /// word or sign.
    private static int chunkEnd(String text, int from) {
        int most = Math.min(text.length(), from + CHUNK);
        for (int end = most; most < text.length() && end > from + 1; end--) {
            boolean blank = text.charAt(end) == ' ' && !Character.isWhitespace(text.charAt(end - 1));
            if (blank || HarmonyMarkup.isMark(text.charAt(end))) {
                return end;
            }
        }
        boolean splits = most < text.length() && Character.isHighSurrogate(text.charAt(most - 1));
        return splits ? most + 1 : most;
    }

    @Override
    public int choose(IntPredicate allowed, long @Nullable [] mask) {
        if (position < chunk.length && allowed.test(chunk[position])) {
            return chunk[position];
        }
        for (var continuation : continuations()) {
            if (allowed.test(continuation.first())) {
                return continuation.first();
            }
        }
        return mask == null
                ? IntStream.range(0, tokenizer.vocabularySize())
                        .filter(allowed)
                        .findFirst()
                        .orElse(-1)
                : search(allowed, mask);
    }

    @Override
    public void accept(int token) {
        if (position < chunk.length && chunk[position] == token) {
            position++;
        } else {
            follow(token);
        }
        if (position == chunk.length && encodedUntil < line.length()) {
            encodeNext();
        }
        var next = kind(token);
        sameKind = next == kind ? sameKind + 1 : 1;
        kind = next;
        if (token == SpecialTokens.START) {
            message.setLength(0);
            inBody = false;
        } else if (SpecialTokens.isSpecial(token)) {
            append(HarmonyMarkup.mark(token));
        } else {
            unfinished.writeBytes(tokenizer.bytes(token));
            var text = unfinished.toString(StandardCharsets.UTF_8);
            if (!text.endsWith("\uFFFD") || unfinished.size() > 3) {
                HarmonyMarkup.plain(text).chars().forEach(each -> append((char) each));
                unfinished.reset();
            }
        }
    }

    private void append(char next) {
        message.append(next);
        if (inBody) {
            json.read(next);
        } else if (next == HarmonyMarkup.MESSAGE) {
            inBody = true;
            json = new JsonContinuation();
        }
    }

    /// Another way to go on: with a text from a position on, said so that it begins with the token `first`.
    private record Continuation(int first, String text, int from) {}

    private void follow(int token) {
        for (var continuation : continuations()) {
            if (continuation.first() == token) {
                line = continuation.text();
                encodedUntil = continuation.from();
                encodeNext();
                if (chunk[0] != token) {
                    // Another spelling: the token by itself, then the text behind it.
                    encodedUntil = continuation.from()
                            + tokenizer.decode(new int[] {token}).length();
                    encodeNext();
                } else {
                    position = 1;
                }
                return;
            }
        }
        // A token that nobody would have said: the line stays as it is and may fit again later.
    }

    /// Other ways to go on from here, best first. A function of the tokens that were accepted.
    private List<Continuation> continuations() {
        var continuations = new ArrayList<Continuation>();
        for (var alternative : plan.alternatives().get()) {
            if (alternative.length() > message.length() && begins(alternative)) {
                addSpellings(continuations, alternative, message.length());
            }
        }
        int from = encodedUntil
                - HarmonyMarkup.decode(chunk, position, chunk.length).length();
        addSpellings(continuations, line, from);
        if (from < line.length() && Character.isWhitespace(line.charAt(from))) {
            addSpellings(continuations, line, from + 1);
        }
        char last = message.isEmpty() ? HarmonyMarkup.END : message.charAt(message.length() - 1);
        if (last == HarmonyMarkup.RETURN || last == HarmonyMarkup.CALL || last == HarmonyMarkup.END) {
            // Nobody stopped at the stop token, so the answer is given once more.
            var again = plan.alternatives().get().getFirst();
            add(continuations, message.isEmpty() ? again : HarmonyMarkup.START + again, 0);
            return continuations;
        }
        if (inBody) {
            json.goOn(plan.values()).forEach(text -> addSpellings(continuations, text, 0));
        }
        addJumps(continuations, from);
        return continuations;
    }

    private boolean begins(String alternative) {
        for (int i = 0; i < message.length(); i++) {
            if (alternative.charAt(i) != message.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void addSpellings(List<Continuation> continuations, String text, int from) {
        add(continuations, text, from);
        int most = from;
        while (most < Math.min(text.length(), from + RESPELLED_MAX) && !HarmonyMarkup.isMark(text.charAt(most))) {
            most++;
        }
        for (int end = most; end > from; end--) {
            int[] piece = tokenizer.encode(text.substring(from, end));
            if (piece.length == 1) {
                continuations.add(new Continuation(piece[0], text, from));
            }
        }
    }

    private void addJumps(List<Continuation> continuations, int from) {
        int marks = 0;
        for (int i = from; i < line.length() && marks < MARKS_MAX; i++) {
            if (HarmonyMarkup.isMark(line.charAt(i))) {
                add(continuations, line, i);
                marks++;
            }
        }
        for (int i = from + 1; i < Math.min(line.length(), from + SKIPPED_MAX); i++) {
            if (HarmonyMarkup.isMark(line.charAt(i))) {
                break;
            }
            if (Character.isWhitespace(line.charAt(i)) || Character.isWhitespace(line.charAt(i - 1))) {
                add(continuations, line, i);
            }
        }
        add(continuations, " " + line.substring(from), 0);
        add(continuations, "\n" + line.substring(from), 0);
        for (char mark :
                new char[] {HarmonyMarkup.RETURN, HarmonyMarkup.CALL, HarmonyMarkup.END, HarmonyMarkup.MESSAGE}) {
            add(continuations, String.valueOf(mark), 0);
        }
    }

    private static void add(List<Continuation> continuations, String text, int from) {
        if (from < text.length()) {
            var begin = text.substring(from, Math.min(text.length(), from + FIRST_TOKEN_MAX));
            continuations.add(new Continuation(HarmonyMarkup.encode(begin)[0], text, from));
        }
    }

    /// The longest readable token of a small set (so a name that is forced is spelt in few steps), the first of a large
    /// set. A kind of token that was said over and over comes last, so that a constraint such as `[0-9]+` ends.
    private int search(IntPredicate allowed, long[] mask) {
        int best = -1;
        int bestLength = -3;
        int compared = 0;
        for (int word = 0; word < mask.length && compared < COMPARED_MAX; word++) {
            for (long bits = mask[word]; bits != 0; bits &= bits - 1) {
                int id = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (id >= tokenizer.vocabularySize() || !allowed.test(id)) {
                    continue;
                }
                int length = sameKind >= TIRED_AFTER && kind(id) == kind ? -2 : readableLength(id);
                if (length > bestLength) {
                    best = id;
                    bestLength = length;
                }
                compared++;
            }
        }
        return best;
    }

    private Kind kind(int id) {
        var text = SpecialTokens.isSpecial(id)
                ? ""
                : tokenizer.decode(new int[] {id}).strip();
        int first = text.isEmpty() ? ' ' : text.codePointAt(0);
        return Character.isLetter(first) ? Kind.WORD : Character.isDigit(first) ? Kind.NUMBER : Kind.SIGN;
    }

    private int readableLength(int id) {
        var text = SpecialTokens.isSpecial(id) ? "" : tokenizer.decode(new int[] {id});
        return text.isBlank() || text.indexOf('\uFFFD') >= 0 ? 0 : text.length();
    }
}
