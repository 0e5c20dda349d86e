package dev.counterpoint.structured.schema;

/// How a schema is read.
///
/// @param type of the values in question
/// @param holds false reads its opposite
/// @param marked true if someone asks what it evaluates
record View(JsonType type, boolean holds, boolean marked) {
    static View of(JsonType type) {
        return new View(type, true, false);
    }

    View holding(boolean other) {
        return new View(type, other, marked && other);
    }

    View withMarks() {
        return new View(type, holds, true);
    }

    View withoutMarks() {
        return new View(type, holds, false);
    }
}
