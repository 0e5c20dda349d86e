package dev.counterpoint.worker.engine.simulated;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// What a generation intends to say, as marked text, and what it would say instead when a mask forbids that.
///
/// @param opening the header that the prompt has already begun, usually `assistant`
/// @param line everything after the prompt, to the last stop token
/// @param alternatives whole messages with their headers, best first; worked out only when they are needed
/// @param values what to put where JSON wants a value, by its key
record Outline(String opening, String line, Supplier<List<String>> alternatives, Function<String, JsonValues> values) {

    /// One value in each JSON type; text is without quotes and not escaped.
    record JsonValues(String text, String number, boolean truth) {}
}
