package dev.counterpoint.engine.chat.split;

import java.util.List;

/// Separates the parts of a model's text. Not thread-safe.
public interface Extraction {
    /// Takes more of the text; gives what is certain.
    List<? extends ModelPart> accept(String more);

    /// The server separates reasoning, so all text is the answer, whatever it looks like: held text, too.
    List<? extends ModelPart> decide();

    /// True if nothing that follows can be the answer, whatever it is.
    default boolean isOver() {
        return false;
    }

    /// The text is over.
    ///
    /// @param whole whether the model ended it by itself, and no limit did
    List<? extends ModelPart> finish(boolean whole);
}
