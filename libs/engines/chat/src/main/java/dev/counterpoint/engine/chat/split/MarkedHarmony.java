package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Harmony with its control tokens as text. Not thread-safe.
final class MarkedHarmony {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final Map<String, Integer> TOKENS = List.of(
                    SpecialTokens.START,
                    SpecialTokens.CHANNEL,
                    SpecialTokens.MESSAGE,
                    SpecialTokens.CONSTRAIN,
                    SpecialTokens.END,
                    SpecialTokens.CALL,
                    SpecialTokens.RETURN,
                    SpecialTokens.END_OF_TEXT,
                    SpecialTokens.START_OF_TEXT)
            .stream()
            .collect(Collectors.toUnmodifiableMap(SpecialTokens::text, Function.identity()));
    static final Pattern CONTROL =
            Pattern.compile(TOKENS.keySet().stream().map(Pattern::quote).collect(Collectors.joining("|")));

    private static final List<String> CHANNELS = List.of(Channels.ANALYSIS, Channels.COMMENTARY, Channels.FINAL);

    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private final Consumer<? super ModelPart> sink;
    private Kind kind = Kind.UNTOLD;
    private boolean call;

    MarkedHarmony(Consumer<? super ModelPart> sink) {
        this.sink = sink;
    }

    /// @param whole whether the model ended the text
    void parse(String text, boolean whole) {
        var pieces = CONTROL.splitWithDelimiters(text, -1);
        beginning(pieces[0].strip());
        Arrays.stream(pieces).skip(1).forEach(this::piece);
        if (whole) {
            parser.finish(this::hear);
        } else {
            parser.cutOff(this::hear);
        }
    }

    /// The prompt, or the server, may have taken the token before the channel.
    private void beginning(String words) {
        if (CHANNELS.contains(words)) {
            parser.accept(SpecialTokens.CHANNEL, this::hear);
            piece(words);
        } else if (!words.isEmpty() && !words.equals(Role.ASSISTANT.wireName())) {
            sink.accept(new TextPiece(Kind.UNTOLD, words));
        }
    }

    private void piece(String text) {
        var control = TOKENS.get(text);
        if (control != null) {
            parser.accept(control, this::hear);
        } else {
            Arrays.stream(TOKENIZER.encode(text)).forEach(token -> parser.accept(token, this::hear));
        }
    }

    private void hear(HarmonyEvent event) {
        switch (event) {
            case MessageStarted started -> begin(started);
            case TextDelta delta ->
                sink.accept(call ? new ModelPart.CallArguments(delta.text()) : new TextPiece(kind, delta.text()));
            case MessageEnded _, Repaired _ -> {
                // The next message has a header of its own.
            }
        }
    }

    private void begin(MessageStarted started) {
        boolean own = started.author().role() == Role.ASSISTANT;
        var recipient = started.recipient();
        boolean answer = recipient != null
                && !recipient.startsWith(ToolNamespace.FUNCTION_PREFIX)
                && Channels.FINAL.equals(started.channel());
        call = own && recipient != null && !answer;
        if (call && recipient != null) {
            sink.accept(new ModelPart.CallBegun(recipient));
        } else if (!own || started.channel() == null) {
            kind = Kind.UNTOLD;
        } else {
            // Commentary without a recipient is for the user.
            kind = started.channel().equals(Channels.ANALYSIS) ? Kind.REASONING : Kind.ANSWER;
        }
    }
}
