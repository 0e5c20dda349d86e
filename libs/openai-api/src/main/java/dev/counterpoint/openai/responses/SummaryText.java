package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.json.Others;

/// One part of a reasoning summary; it has been reviewed and may be shown to the user.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonTypeName("summary_text")
public record SummaryText(String text, Others others) {
    public SummaryText(String text) {
        this(text, Others.NONE);
    }
}
