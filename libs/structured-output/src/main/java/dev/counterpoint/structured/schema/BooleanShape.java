package dev.counterpoint.structured.schema;

/// True, false or both.
record BooleanShape(boolean mayBeTrue, boolean mayBeFalse) implements ValueShape {
    static final BooleanShape ANY = new BooleanShape(true, true);

    @Override
    public ValueShape and(ValueShape other) {
        var also = (BooleanShape) other;
        return new BooleanShape(mayBeTrue && also.mayBeTrue, mayBeFalse && also.mayBeFalse);
    }

    @Override
    public boolean isPlainlyEmpty() {
        return !mayBeTrue && !mayBeFalse;
    }
}
