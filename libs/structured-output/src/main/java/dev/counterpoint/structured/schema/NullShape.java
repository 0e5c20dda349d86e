package dev.counterpoint.structured.schema;

/// Null.
record NullShape() implements ValueShape {
    @Override
    public ValueShape and(ValueShape other) {
        return this;
    }

    @Override
    public boolean isPlainlyEmpty() {
        return false;
    }
}
