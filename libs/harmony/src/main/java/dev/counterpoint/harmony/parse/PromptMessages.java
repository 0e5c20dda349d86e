package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Collects the messages of a rendered prompt while it is parsed. Used once.
final class PromptMessages implements Consumer<HarmonyEvent> {
    final List<ParsedMessage> messages = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable MessageStarted open;

    @Override
    public void accept(HarmonyEvent event) {
        switch (event) {
            case MessageStarted started -> {
                open = started;
                text.setLength(0);
            }
            case TextDelta(String delta) -> text.append(delta);
            case MessageEnded _ -> {
                if (open != null) {
                    messages.add(new ParsedMessage(
                            open.author(), open.channel(), open.recipient(), open.contentType(), text.toString()));
                }
            }
            case Repaired _ -> {}
        }
    }
}
