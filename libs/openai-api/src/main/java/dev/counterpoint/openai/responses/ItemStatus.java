package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// How far an item came: one of the words below, or one that is newer than this library.
public record ItemStatus(@JsonValue String wireName) {
    public static final ItemStatus IN_PROGRESS = new ItemStatus("in_progress");
    public static final ItemStatus COMPLETED = new ItemStatus("completed");
    public static final ItemStatus INCOMPLETE = new ItemStatus("incomplete");
    public static final ItemStatus FAILED = new ItemStatus("failed");
    public static final ItemStatus SEARCHING = new ItemStatus("searching");
    public static final ItemStatus GENERATING = new ItemStatus("generating");
    public static final ItemStatus INTERPRETING = new ItemStatus("interpreting");
    public static final ItemStatus CALLING = new ItemStatus("calling");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ItemStatus {}
}
