package dev.counterpoint.structured.match;

/// How far an alternative was read, and for whom.
///
/// @param position of the next symbol in the grammar
record Item(int position, Caller caller) implements Comparable<Item> {
    Item next() {
        return new Item(position + 1, caller);
    }

    @Override
    public int compareTo(Item other) {
        if (position != other.position) {
            return Integer.compare(position, other.position);
        }
        return caller.rowNumber() != other.caller.rowNumber()
                ? Integer.compare(caller.rowNumber(), other.caller.rowNumber())
                : Integer.compare(caller.rule(), other.caller.rule());
    }
}
