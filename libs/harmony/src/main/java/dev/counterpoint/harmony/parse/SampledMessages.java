package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Content;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.SampledSpelling;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.Stop;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Turns what a model sampled into messages of the conversation that keep their tokens. Used once.
public final class SampledMessages implements Consumer<HarmonyEvent> {
    private static final int ASSISTANT = HarmonyTokenizer.shared().encode(Role.ASSISTANT.wireName())[0];

    private final int[] tokens;
    private final List<Message> messages = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable MessageStarted open;
    /// The token that is being parsed.
    private int at;
    private int headerFrom;
    private int bodyFrom;
    /// The header goes on after `<|start|>assistant`, which the renderer writes by itself.
    private boolean begun;
    /// Since the last message ended.
    private boolean repaired;

    private SampledMessages(int[] tokens) {
        this.tokens = tokens;
    }

    /// The messages that a model sampled. While their turn is open they are rendered token for token,
    /// except for those that needed a repair, which are written anew.
    ///
    /// @param tokens from after the prompt's `<|start|>assistant` on, or from a later `<|start|>`; the
    ///     last message may be incomplete
    public static List<Message> of(int[] tokens) {
        var collected = new SampledMessages(tokens);
        collected.parse();
        return List.copyOf(collected.messages);
    }

    private void parse() {
        var parser = new HarmonyParser(Role.ASSISTANT);
        skipBeginning();
        begun = true;
        for (at = headerFrom; at < tokens.length; at++) {
            parser.accept(tokens[at], this);
        }
        parser.finish(this);
    }

    @Override
    public void accept(HarmonyEvent event) {
        switch (event) {
            case Repaired _ -> repaired = true;
            case MessageStarted started -> {
                open = started;
                text.setLength(0);
                bodyFrom = at + 1;
            }
            case TextDelta(String delta) -> text.append(delta);
            case MessageEnded(Stop stop) -> {
                // A message from anybody else is made up, and nothing to go on from.
                if (open != null && open.author().role() == Role.ASSISTANT) {
                    messages.add(message(open));
                }
                headerFrom = stop == Stop.IMPLICIT ? at : at + 1;
                repaired = false;
                skipBeginning();
            }
        }
    }

    private Message message(MessageStarted started) {
        // What was mended is better written anew than repeated.
        boolean clean = begun && !repaired && started.author().name() == null;
        var spelling = clean
                ? new SampledSpelling(
                        Arrays.copyOfRange(tokens, headerFrom, bodyFrom - 1), Arrays.copyOfRange(tokens, bodyFrom, at))
                : null;
        return new Message(
                started.author(),
                started.recipient(),
                started.channel(),
                started.contentType(),
                List.of(new Content.Text(text.toString())),
                spelling);
    }

    private void skipBeginning() {
        begun = tokens.length >= headerFrom + 2
                && tokens[headerFrom] == SpecialTokens.START
                && tokens[headerFrom + 1] == ASSISTANT;
        if (begun) {
            headerFrom += 2;
        }
    }
}
