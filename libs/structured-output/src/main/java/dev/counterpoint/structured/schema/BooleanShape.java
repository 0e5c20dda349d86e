package dev.counterpoint.structured.schema;

/// True, false or both.
record BooleanShape(boolean mayBeTrue, boolean mayBeFalse) implements Shape {
    static final BooleanShape ANY = new BooleanShape(true, true);

    @Override
    public Shape and(Shape other) {
        var also = (BooleanShape) other;
        return new BooleanShape(mayBeTrue && also.mayBeTrue, mayBeFalse && also.mayBeFalse);
    }

    @Override
    public boolean isPlainlyEmpty() {
        return !mayBeTrue && !mayBeFalse;
    }
}
