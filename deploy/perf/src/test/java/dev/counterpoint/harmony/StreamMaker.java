package dev.counterpoint.harmony;

import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Makes token streams as models speak them, and worse.
final class StreamMaker {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final List<Integer> CONTROL = List.of(
            SpecialTokens.START,
            SpecialTokens.MESSAGE,
            SpecialTokens.CHANNEL,
            SpecialTokens.CONSTRAIN,
            SpecialTokens.END,
            SpecialTokens.CALL,
            SpecialTokens.RETURN,
            SpecialTokens.END_OF_TEXT,
            SpecialTokens.START_OF_TEXT,
            200018,
            SpecialTokens.LAST);
    private static final List<Integer> STOPS =
            List.of(SpecialTokens.END, SpecialTokens.END, SpecialTokens.END, SpecialTokens.CALL, SpecialTokens.RETURN);
    private static final List<String> AUTHORS = List.of(
            "assistant",
            "assistant",
            "assistant",
            "user",
            "system",
            "developer",
            "tool",
            "functions.f",
            "python",
            "user:bob",
            "final",
            "assistantassistant",
            "to=functions.f",
            "");
    private static final List<String> CHANNELS =
            List.of("analysis", "commentary", "final", "final", "fina", "??", "", "é", "analysis\u2003", "a<b");
    private static final List<String> RECIPIENTS = List.of(
            " to=functions.f",
            " to=functions.f",
            " to=assistant",
            " to=",
            "to=python",
            " functions.f",
            " to=a to=b",
            " all");
    private static final List<String> TYPES = List.of(" json", "json", " code", " a b", " ", "<", "assistant");
    /// Tokens that are no text alone: parts of characters, or no UTF-8 at all.
    private static final int[] SPLIT =
            IntStream.range(0, SpecialTokens.FIRST).filter(StreamMaker::isSplit).toArray();

    private static final int[] TOKEN_OF_BYTE = tokensOfBytes();

    private final Dice dice;
    private final List<Integer> tokens = new ArrayList<>();

    private StreamMaker(Dice dice) {
        this.dice = dice;
    }

    /// @param insideHeader whether the stream goes on after `<|start|>` and a role
    static int[] stream(Dice dice, boolean insideHeader) {
        var maker = new StreamMaker(dice);
        if (dice.percent(6)) {
            maker.addPrompt();
        } else {
            maker.addMessages(insideHeader);
        }
        for (int i = dice.below(4) * dice.below(2); i > 0; i--) {
            maker.mutate();
        }
        return maker.tokens.stream().mapToInt(Integer::intValue).toArray();
    }

    /// A whole conversation, rendered in either spelling.
    private void addPrompt() {
        var options = new RenderOptions(dice.of(List.of(ReferenceCodec.values())), DropRule.KEEP_ALL);
        try {
            var conversation = WireConversations.conversation(
                    OracleJson.read(OracleJson.write(ConversationMaker.conversation(dice))));
            add(new HarmonyRenderer(TOKENIZER, options).render(conversation));
        } catch (IllegalArgumentException e) {
            add("no conversation");
        }
    }

    private void addMessages(boolean insideHeader) {
        int messages = dice.between(1, 3);
        for (int i = 0; i < messages; i++) {
            if (i > 0 || !insideHeader || dice.percent(3)) {
                tokens.add(SpecialTokens.START);
                add(dice.of(AUTHORS));
            }
            addHeader();
            if (!dice.percent(4)) {
                tokens.add(SpecialTokens.MESSAGE);
                addBody();
            }
            if (!dice.percent(8)) {
                tokens.add(dice.of(STOPS));
            }
        }
    }

    private void addHeader() {
        for (int i = dice.percent(75) ? 1 : dice.below(4); i > 0; i--) {
            boolean channelFirst = dice.toss();
            if (!channelFirst && dice.percent(30)) {
                add(dice.of(RECIPIENTS));
            }
            if (dice.percent(85)) {
                tokens.add(SpecialTokens.CHANNEL);
                add(dice.percent(97) ? dice.of(CHANNELS) : TextMaker.text(dice, 2));
            }
            if (channelFirst && dice.percent(30)) {
                add(dice.of(RECIPIENTS));
            }
            if (dice.percent(20)) {
                add(dice.percent(70) ? " " : "");
                tokens.add(SpecialTokens.CONSTRAIN);
                add(dice.percent(80) ? "json" : dice.of(TYPES));
            } else if (dice.percent(15)) {
                add(dice.of(TYPES));
            }
            if (dice.percent(6)) {
                add(TextMaker.blank(dice));
            }
            if (dice.percent(4)) {
                add(TextMaker.text(dice, 2));
            }
            if (dice.percent(5)) {
                add(" x" + TextMaker.letters(dice) + " x" + TextMaker.letters(dice) + " x y");
            }
            if (dice.percent(2)) {
                tokens.add(anyToken());
            }
        }
    }

    private void addBody() {
        for (int i = dice.between(0, 4); i > 0; i--) {
            int kind = dice.below(10);
            if (kind < 6) {
                add(TextMaker.text(dice, 4));
            } else if (kind < 8) {
                addSplitText();
            } else if (kind < 9) {
                tokens.add(SPLIT[dice.below(SPLIT.length)]);
            } else {
                tokens.add(dice.below(SpecialTokens.FIRST));
            }
        }
    }

    /// The bytes of a text, one token for each.
    private void addSplitText() {
        for (byte b : TextMaker.letters(dice).getBytes(StandardCharsets.UTF_8)) {
            tokens.add(TOKEN_OF_BYTE[b & 0xFF]);
        }
    }

    private static int[] tokensOfBytes() {
        var tokens = new int[256];
        for (int token = 0; token < 256; token++) {
            tokens[TOKENIZER.bytes(token)[0] & 0xFF] = token;
        }
        return tokens;
    }

    private void add(String text) {
        add(TOKENIZER.encode(text));
    }

    private void add(int[] more) {
        Arrays.stream(more).forEach(tokens::add);
    }

    private void mutate() {
        int at = dice.below(tokens.size() + 1);
        int kind = dice.below(10);
        if (kind < 5) {
            tokens.add(at, anyToken());
        } else if (at == tokens.size()) {
            return;
        } else if (kind == 5) {
            tokens.remove(at);
        } else if (kind == 6) {
            tokens.add(at, tokens.get(at));
        } else if (kind == 7) {
            int other = dice.below(tokens.size());
            tokens.set(at, tokens.set(other, tokens.get(at)));
        } else if (kind == 8) {
            tokens.set(at, anyToken());
        } else {
            tokens.subList(at, tokens.size()).clear();
        }
    }

    private int anyToken() {
        int kind = dice.below(20);
        if (kind < 11) {
            return dice.of(CONTROL);
        } else if (kind < 14) {
            return dice.below(SpecialTokens.FIRST);
        } else if (kind < 16) {
            return SPLIT[dice.below(SPLIT.length)];
        } else if (kind < 19) {
            return dice.between(SpecialTokens.FIRST, SpecialTokens.LAST);
        }
        return dice.of(List.of(SpecialTokens.LAST + 1, 300_000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1));
    }

    private static boolean isSplit(int token) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(TOKENIZER.bytes(token)));
            return false;
        } catch (CharacterCodingException e) {
            return true;
        }
    }
}
