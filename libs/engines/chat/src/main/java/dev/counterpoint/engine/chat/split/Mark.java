package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;

/// A mark in the text. Whether it is meant as one is not said.
///
/// @param pair that it belongs to; others may have the same closing mark
/// @param written as it stands in the text
record Mark(Kind kind, MarkPair pair, String written) implements Token {
    enum Kind {
        OPEN,
        CLOSE,
        ANSWER_OPEN,
        ANSWER_CLOSE
    }

    /// Whether it ends reasoning that this pair began. Models mix headings, and those that mean the same
    /// end each other.
    boolean closes(MarkPair opened) {
        return opened.close().equalsIgnoreCase(pair.close()) || opened.isHeading() && pair.isHeading();
    }

    /// Whether it is a model's control token in the form of text, which stands in no answer.
    boolean isControl() {
        return written.startsWith("<|");
    }
}
