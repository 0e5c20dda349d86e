package dev.counterpoint.validator;

import java.util.List;
import java.util.Set;

/// The events that show the response as a whole, in the order they may come in; the last three end it.
enum LifecycleStage {
    CREATED("in_progress", "queued"),
    QUEUED("queued"),
    IN_PROGRESS("in_progress"),
    COMPLETED("completed"),
    INCOMPLETE("incomplete"),
    /// The API has no event for a cancelled response, and a stream does not end without a terminal one.
    FAILED("failed", "cancelled");

    private final Set<String> statuses;

    LifecycleStage(String... statuses) {
        this.statuses = Set.copyOf(List.of(statuses));
    }

    /// The permitted values of the response's `status` at this stage.
    Set<String> statuses() {
        return statuses;
    }

    boolean terminal() {
        return compareTo(COMPLETED) >= 0;
    }
}
