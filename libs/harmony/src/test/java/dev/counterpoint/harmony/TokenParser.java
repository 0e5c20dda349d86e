package dev.counterpoint.harmony;

import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.util.function.Consumer;

/// A parser under test: the product's own, or the references' state machine.
public interface TokenParser {
    void accept(int token, Consumer<HarmonyEvent> sink);

    void finish(Consumer<HarmonyEvent> sink);

    boolean insideMessage();

    static TokenParser of(HarmonyParser parser) {
        return new TokenParser() {
            @Override
            public void accept(int token, Consumer<HarmonyEvent> sink) {
                parser.accept(token, sink);
            }

            @Override
            public void finish(Consumer<HarmonyEvent> sink) {
                parser.finish(sink);
            }

            @Override
            public boolean insideMessage() {
                return parser.insideMessage();
            }
        };
    }
}
