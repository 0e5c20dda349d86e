package dev.counterpoint.structured.match;

import java.util.ArrayList;
import java.util.List;

/// Where a rule was asked for, and what goes on there when the rule is done. Compared by identity: a row has one
/// for each rule that it asks for. Does not change once its row is made.
final class ReturnPoint {
    private static final int NO_ROW = -1;

    private final int rowNumber;
    private final int rule;
    private final List<Item> waiting = new ArrayList<>(1);

    ReturnPoint(int rowNumber, int rule) {
        this.rowNumber = rowNumber;
        this.rule = rule;
    }

    /// That of the whole text, after which nothing goes on.
    static ReturnPoint end() {
        return new ReturnPoint(NO_ROW, 0);
    }

    int rowNumber() {
        return rowNumber;
    }

    int rule() {
        return rule;
    }

    boolean isEnd() {
        return rowNumber == NO_ROW;
    }

    void await(Item next) {
        waiting.add(next);
    }

    /// The items that wait for the rule, each one symbol on.
    List<Item> waiting() {
        return waiting;
    }
}
