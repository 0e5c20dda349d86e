package dev.counterpoint.structured.schema;

/// What values of one type look like: demands that all hold. Shapes of the same type can be joined.
sealed interface Shape permits NullShape, BooleanShape, NumberShape, StringShape, ArrayShape, ObjectShape {
    /// What fits both.
    ///
    /// @param other of the same type
    Shape and(Shape other);

    /// True if it is plain that nothing fits; false proves nothing.
    boolean isPlainlyEmpty();
}
