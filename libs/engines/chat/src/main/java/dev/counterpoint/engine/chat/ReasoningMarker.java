package dev.counterpoint.engine.chat;

/// A pair of marks around reasoning. Letters count in either case.
enum ReasoningMarker {
    REASONING("<<REASONING>>", "<</REASONING>>"),
    THINK("<think>", "</think>");

    final String open;
    final String close;

    ReasoningMarker(String open, String close) {
        this.open = open;
        this.close = close;
    }
}
