package dev.counterpoint.openai.json;

/// A member of a family that is told apart by `type`.
public interface Typed {
    /// The value of `type` on the wire.
    default String type() {
        return WireName.of(getClass());
    }
}
