package dev.counterpoint.structured.match;

/// How far an alternative was read, and for whom.
///
/// @param position of the next symbol in the grammar
/// @param marks that guards have set
record Item(int position, ReturnPoint returnPoint, long marks) implements Comparable<Item> {
    /// At the start of an alternative.
    Item(int position, ReturnPoint returnPoint) {
        this(position, returnPoint, 0);
    }

    Item next() {
        return next(0);
    }

    /// One symbol on, with more marks.
    Item next(long added) {
        return new Item(position + 1, returnPoint, marks | added);
    }

    @Override
    public int compareTo(Item other) {
        if (position != other.position) {
            return Integer.compare(position, other.position);
        }
        if (returnPoint.rowNumber() != other.returnPoint.rowNumber()) {
            return Integer.compare(returnPoint.rowNumber(), other.returnPoint.rowNumber());
        }
        return returnPoint.rule() != other.returnPoint.rule()
                ? Integer.compare(returnPoint.rule(), other.returnPoint.rule())
                : Long.compare(marks, other.marks);
    }
}
