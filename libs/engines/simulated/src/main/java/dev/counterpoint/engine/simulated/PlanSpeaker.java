package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.simulated.AnswerPlanner.AnswerPlan;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
    /// Characters after which a string should come to an end.
    private static final int LONG = 24;
    /// Throws for a token that looks like a word, before any will do.
    private static final int THROWS_MAX = 24;

    private static final int QUOTE = HarmonyTokenizer.shared().encode("\"")[0];
    private static final Pattern WORD = Pattern.compile(" ?[a-z]{2,12}");
    private static final String CALLS = HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE;
    private static final String THOUGHTS = HarmonyMarkup.CHANNEL + "analysis" + HarmonyMarkup.MESSAGE;

    private final HarmonyTokenizer tokenizer = HarmonyTokenizer.shared();
    private final AnswerPlan plan;
    private final TokenMask mask;
    /// The tokens to say next, and behind them the text that is not encoded yet.
    private int[] chunk = {};

    private int position;
    private String line;
    private int encodedUntil;
    /// The message so far, from its header on, and the bytes of a character that is not whole yet.
    private final StringBuilder message = new StringBuilder();

    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private @Nullable MaskedJson json;
    /// Whether the plan does not fit the body, which is JSON or another form that only the mask knows.
    private boolean masked;
    private int said;

    PlanSpeaker(AnswerPlan plan, TokenMask mask) {
        this.plan = plan;
        this.mask = mask;
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
    public int choose(IntPredicate allowed, long @Nullable [] set) {
        if (position < chunk.length && allowed.test(chunk[position])) {
            return chunk[position];
        }
        if (json != null && set != null && (masked || !json.position().begun() || holdsJson())) {
            masked = true;
            var next = json.next(new Lookahead(mask, allowed), dice());
            say(next == null ? "" : next);
            if (chunk.length > 0 && allowed.test(chunk[0])) {
                return chunk[0];
            }
        }
        for (var continuation : masked ? ends() : continuations()) {
            if (allowed.test(continuation.first())) {
                return continuation.first();
            }
        }
        return set == null
                ? IntStream.range(0, tokenizer.vocabularySize())
                        .filter(allowed)
                        .findFirst()
                        .orElse(-1)
                : improvise(allowed, set);
    }

    /// Whether the open message is JSON by what the prompt says.
    private boolean holdsJson() {
        return plan.structured() || message.indexOf(CALLS) >= 0;
    }

    private void say(String text) {
        line = text;
        encodedUntil = 0;
        encodeNext();
    }

    private @Nullable SplittableRandom dice() {
        return plan.seed() == 0 ? null : new SplittableRandom(MadeUpLogprobs.mix(plan.seed() + said));
    }

    @Override
    public void accept(int token) {
        said++;
        if (position < chunk.length && chunk[position] == token) {
            position++;
        } else if (masked) {
            say("");
        } else {
            follow(token);
        }
        if (position == chunk.length && encodedUntil < line.length()) {
            encodeNext();
        }
        if (token == SpecialTokens.START) {
            message.setLength(0);
            json = null;
            masked = false;
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
        if (json != null) {
            json.position().read(next);
        } else if (next == HarmonyMarkup.MESSAGE && message.indexOf(THOUGHTS) < 0) {
            json = new MaskedJson(plan.source().apply(message.toString()));
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
        continuations.addAll(ends());
    }

    private static List<Continuation> ends() {
        var ends = new ArrayList<Continuation>();
        for (char mark :
                new char[] {HarmonyMarkup.RETURN, HarmonyMarkup.CALL, HarmonyMarkup.END, HarmonyMarkup.MESSAGE}) {
            add(ends, String.valueOf(mark), 0);
        }
        return ends;
    }

    private static void add(List<Continuation> continuations, String text, int from) {
        if (from < text.length()) {
            var begin = text.substring(from, Math.min(text.length(), from + FIRST_TOKEN_MAX));
            continuations.add(new Continuation(HarmonyMarkup.encode(begin)[0], text, from));
        }
    }

    /// Any token of the set, by dice that fall alike for the same seed and place: as a rule a word, and the end of a
    /// string the likelier the longer the string is.
    private int improvise(IntPredicate allowed, long[] set) {
        var dice = new SplittableRandom(MadeUpLogprobs.mix(plan.seed() + said));
        boolean inString = json != null && json.position().inString();
        int length = inString && json != null ? json.position().text().length() : 0;
        if (inString && length > 0 && allowed.test(QUOTE) && dice.nextInt(length, length + 24) > 20) {
            return QUOTE;
        }
        int[] tokens = tokens(set);
        if (json != null && json.position().inNumber() && dice.nextBoolean()) {
            // Else most numbers would grow as long as they may.
            tokens = preferred(tokens, text -> !Character.isDigit(text.charAt(0)));
        } else if (length > LONG) {
            // What a pattern waits for is a sign, as a rule.
            tokens = preferred(tokens, text -> text.length() == 1 && text.charAt(0) < 128);
        }
        int any = -1;
        for (int i = 0; i < THROWS_MAX && tokens.length > 0; i++) {
            int token = tokens[dice.nextInt(tokens.length)];
            var text = Lookahead.text(token);
            boolean breaks = inString ? text.indexOf('"') >= 0 : json != null && text.isBlank();
            boolean good = allowed.test(token) && !breaks;
            if (good && (WORD.matcher(text).matches() || i > 0 && dice.nextInt(10) == 0)) {
                return token;
            }
            any = good ? token : any;
        }
        return any >= 0 ? any : IntStream.of(tokens).filter(allowed).findFirst().orElse(-1);
    }

    private static int[] preferred(int[] tokens, Predicate<String> wanted) {
        int[] some = IntStream.of(tokens)
                .filter(id -> {
                    var text = Lookahead.text(id);
                    return !text.isEmpty() && wanted.test(text);
                })
                .toArray();
        return some.length == 0 ? tokens : some;
    }

    private int[] tokens(long[] set) {
        return BitSet.valueOf(set).stream()
                .filter(id -> id < tokenizer.vocabularySize())
                .toArray();
    }
}
