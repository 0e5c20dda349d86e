package dev.counterpoint.gateway.turn;

import java.util.List;

/// What a caller reads who asked for a summary of the reasoning where none can be made. Raw reasoning never stands in.
public final class Unavailable {
    public static final List<String> SUMMARY_WARNINGS = List.of(
            "reasoning_unavailable: a reasoning summary was asked for, but this deployment has no summarizer running.");

    private Unavailable() {}
}
