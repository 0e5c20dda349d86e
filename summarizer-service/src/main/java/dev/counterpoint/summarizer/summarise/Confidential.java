package dev.counterpoint.summarizer.summarise;

import java.util.List;

/// The texts that a summary may not give away.
///
/// @param texts developer, system and tool-schema texts
/// @param userText what the user said last; its words are no secret to the user
public record Confidential(List<String> texts, String userText) {
    public Confidential {
        texts = List.copyOf(texts);
    }

    @Override
    public String toString() {
        return "Confidential[texts=" + texts.size() + "]";
    }
}
