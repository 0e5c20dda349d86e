package dev.counterpoint.structured.match;

/// How far an alternative was read, and for whom.
///
/// @param position of the next symbol in the grammar
record Item(int position, ReturnPoint returnPoint) implements Comparable<Item> {
    Item next() {
        return new Item(position + 1, returnPoint);
    }

    @Override
    public int compareTo(Item other) {
        if (position != other.position) {
            return Integer.compare(position, other.position);
        }
        return returnPoint.rowNumber() != other.returnPoint.rowNumber()
                ? Integer.compare(returnPoint.rowNumber(), other.returnPoint.rowNumber())
                : Integer.compare(returnPoint.rule(), other.returnPoint.rule());
    }
}
