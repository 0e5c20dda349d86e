package dev.counterpoint.structured.schema;

/// Null.
record NullShape() implements Shape {
    @Override
    public Shape and(Shape other) {
        return this;
    }

    @Override
    public boolean isPlainlyEmpty() {
        return false;
    }
}
