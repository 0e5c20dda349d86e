package dev.counterpoint.harmony;

import java.util.function.Consumer;

/// What a {@link ParserMode} does with a stream.
sealed interface ParserEngine permits ReferenceParser, RobustParser {
    void accept(int token, Consumer<HarmonyEvent> sink);

    void finish(Consumer<HarmonyEvent> sink);

    /// As finish, of a stream that had not come to its end.
    default void cutOff(Consumer<HarmonyEvent> sink) {
        finish(sink);
    }

    boolean insideMessage();
}
