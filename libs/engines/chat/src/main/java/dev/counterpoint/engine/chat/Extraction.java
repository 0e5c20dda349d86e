package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.HarmonyText;
import dev.counterpoint.engine.chat.split.ToldPart;
import java.util.List;

/// Tells apart what a model says in its text. Not thread-safe.
interface Extraction {
    /// Takes more of the text; gives what is certain.
    List<? extends ToldPart> accept(String more);

    /// The server tells the reasoning by itself, so all text is the answer, whatever it looks like: what
    /// is held, too.
    List<? extends ToldPart> decide();

    /// The text is over.
    ///
    /// @param whole whether the model ended it by itself, and no limit did
    List<? extends ToldPart> finish(boolean whole);

    /// Of text that is Harmony.
    static Extraction ofHarmony() {
        var text = new HarmonyText();
        return new Extraction() {
            @Override
            public List<ToldPart> accept(String more) {
                return text.accept(more);
            }

            @Override
            public List<ToldPart> decide() {
                return text.decide();
            }

            @Override
            public List<ToldPart> finish(boolean whole) {
                return text.finish(whole);
            }
        };
    }
}
