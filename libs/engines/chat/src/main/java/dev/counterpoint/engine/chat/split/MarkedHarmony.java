package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.function.Consumer;

/// Harmony with its control tokens. Not thread-safe.
final class MarkedHarmony implements HarmonyText.Form {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private final Consumer<ToldPart> sink;
    private Kind kind = Kind.UNTOLD;
    private boolean call;

    MarkedHarmony(Consumer<ToldPart> sink) {
        this.sink = sink;
    }

    @Override
    public void words(String text) {
        for (int token : TOKENIZER.encode(text)) {
            parser.accept(token, this::hear);
        }
    }

    @Override
    public void control(int token) {
        parser.accept(token, this::hear);
    }

    @Override
    public void finish(boolean whole) {
        if (whole) {
            parser.finish(this::hear);
        } else {
            parser.cutOff(this::hear);
        }
    }

    private void hear(HarmonyEvent event) {
        switch (event) {
            case MessageStarted started -> begin(started);
            case TextDelta delta ->
                sink.accept(call ? new ToldPart.CallArguments(delta.text()) : new TextPiece(kind, delta.text()));
            case MessageEnded _, Repaired _ -> {
                // The next message says what it is.
            }
        }
    }

    private void begin(MessageStarted started) {
        boolean own = started.author().role() == Role.ASSISTANT;
        var recipient = started.recipient();
        call = own && recipient != null;
        if (call && recipient != null) {
            sink.accept(new ToldPart.CallBegun(recipient));
        } else if (!own || started.channel() == null) {
            kind = Kind.UNTOLD;
        } else {
            // Commentary without a recipient is for the user.
            kind = started.channel().equals(Channels.ANALYSIS) ? Kind.REASONING : Kind.ANSWER;
        }
    }
}
