package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.gateway.turn.Recipient;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.openai.responses.SummaryText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run of analysis messages: each is a content part, where the caller gets raw reasoning, beside the parts
/// of the safe summary, where that is due. Not thread-safe.
final class OpenReasoningItem implements OpenItem {
    private final Place place;
    private final boolean raw;
    private final List<OutputContent.ReasoningText> parts = new ArrayList<>();
    private final List<SummaryText> summary = new ArrayList<>();
    private @Nullable StringBuilder part;
    private @Nullable StringBuilder summaryPart;
    private int message = -1;
    private @Nullable String sealed;

    OpenReasoningItem(Place place, boolean raw, EventSequencer events) {
        this.place = place;
        this.raw = raw;
        events.add(n -> new StreamEvent.Item.Added(n, place.index(), item(ItemStatus.IN_PROGRESS)));
    }

    /// More of an analysis message; one to a tool that no client runs is not shown.
    void append(int ordinal, Delta delta, EventSequencer events) {
        if (ordinal != message) {
            closePart(events);
            message = ordinal;
            part = Recipient.ofReasoning(delta.header()) instanceof Recipient.User ? openPart(events) : null;
        }
        if (part != null && !delta.text().isEmpty()) {
            part.append(delta.text());
            events.add(
                    delta.text(),
                    (n, pad) -> new StreamEvent.RawReasoning.Delta(
                            n, place.id(), place.index(), parts.size(), delta.text(), pad));
        }
        if (delta.closed()) {
            closePart(events);
        }
    }

    /// A sentence of the summary.
    void summarize(boolean opensPart, String text, EventSequencer events) {
        if (opensPart || summaryPart == null) {
            closeSummary(events);
            summaryPart = new StringBuilder();
            events.add(n -> new StreamEvent.Summary.PartAdded(
                    n, place.id(), place.index(), summary.size(), new SummaryText("")));
        }
        summaryPart.append(text);
        events.add(
                text,
                (n, pad) -> new StreamEvent.Summary.TextDelta(n, place.id(), place.index(), summary.size(), text, pad));
    }

    /// The open part of the summary is whole.
    void closeSummary(EventSequencer events) {
        if (summaryPart == null) {
            return;
        }
        int index = summary.size();
        var done = new SummaryText(summaryPart.toString());
        events.add(n -> new StreamEvent.Summary.TextDone(n, place.id(), place.index(), index, done.text()));
        events.add(n -> new StreamEvent.Summary.PartDone(n, place.id(), place.index(), index, done, null));
        summary.add(done);
        summaryPart = null;
    }

    /// Takes the blob that the client carries to its next request instead of the reasoning itself.
    void seal(String encryptedContent) {
        sealed = encryptedContent;
    }

    /// True if the run of reasoning is over: the sealed blob holds all of it.
    boolean sealed() {
        return sealed != null;
    }

    @Override
    public OutputItem close(ItemStatus status, EventSequencer events) {
        closePart(events);
        closeSummary(events);
        var item = item(status);
        events.add(n -> new StreamEvent.Item.Done(n, place.index(), item));
        return item;
    }

    private StringBuilder openPart(EventSequencer events) {
        events.add(n -> new StreamEvent.Part.Added(
                n, place.id(), place.index(), parts.size(), new OutputContent.ReasoningText("")));
        return new StringBuilder();
    }

    private void closePart(EventSequencer events) {
        if (part == null) {
            return;
        }
        int index = parts.size();
        var done = new OutputContent.ReasoningText(part.toString());
        events.add(n -> new StreamEvent.RawReasoning.Done(n, place.id(), place.index(), index, done.text()));
        events.add(n -> new StreamEvent.Part.Done(n, place.id(), place.index(), index, done));
        parts.add(done);
        part = null;
    }

    private OutputItem item(ItemStatus status) {
        return new OutputItem.Reasoning(place.id(), summary, raw ? parts : null, sealed, status);
    }
}
