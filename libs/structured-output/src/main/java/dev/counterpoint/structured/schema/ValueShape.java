package dev.counterpoint.structured.schema;

/// What values of one type look like: demands that all hold. Shapes of the same type can be joined.
sealed interface ValueShape permits NullShape, BooleanShape, NumberShape, StringShape, ArrayShape, ObjectShape {
    /// What fits both.
    ///
    /// @param other of the same type
    ValueShape and(ValueShape other);

    /// True if it is plain that nothing fits; false proves nothing.
    boolean isPlainlyEmpty();
}
