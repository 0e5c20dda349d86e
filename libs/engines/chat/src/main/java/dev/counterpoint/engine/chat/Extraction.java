package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.HarmonyText;
import dev.counterpoint.engine.chat.split.ModelPart;
import java.util.List;

/// Separates the parts of a model's text. Not thread-safe.
interface Extraction {
    /// Takes more of the text; gives what is certain.
    List<? extends ModelPart> accept(String more);

    /// The server separates reasoning, so all text is the answer, whatever it looks like: held text, too.
    List<? extends ModelPart> decide();

    /// The text is over.
    ///
    /// @param whole whether the model ended it by itself, and no limit did
    List<? extends ModelPart> finish(boolean whole);

    /// Of text that is Harmony.
    static Extraction ofHarmony() {
        var text = new HarmonyText();
        return new Extraction() {
            @Override
            public List<ModelPart> accept(String more) {
                return text.accept(more);
            }

            @Override
            public List<ModelPart> decide() {
                return text.decide();
            }

            @Override
            public List<ModelPart> finish(boolean whole) {
                return text.finish(whole);
            }
        };
    }
}
