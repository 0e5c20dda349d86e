package dev.counterpoint.worker.engine.simulated;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The form of a JSON value, from a JSON schema or from the TypeScript of a tool.
sealed interface Shape {
    record Text(@Nullable String format) implements Shape {}

    record Numeric(
            boolean whole,
            @Nullable Double minimum,
            @Nullable Double maximum) implements Shape {}

    record Truth() implements Shape {}

    record Nothing() implements Shape {}

    /// Anything goes.
    record Any() implements Shape {}

    /// One of these values, each as compact JSON.
    record Choice(List<String> values) implements Shape {}

    record ListOf(Shape item, int minimum, int maximum) implements Shape {}

    record Fields(List<Field> fields) implements Shape {}

    /// One of several forms.
    record AnyOf(List<Shape> shapes) implements Shape {}

    /// @param ifMissing the default as compact JSON, or null
    record Field(
            String name,
            Shape shape,
            boolean required,
            String description,
            @Nullable String ifMissing) {}
}
