package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.error.ErrorDetail;
import dev.counterpoint.openai.json.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One event of a streamed response; `sequenceNumber` counts from 0 without gaps.
///
/// `outputIndex` places the item, `contentIndex` or `summaryIndex` the part within it; all count from 0. A `Done`
/// repeats the whole of what its deltas brought.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface StreamEvent {
    long sequenceNumber();

    /// The event's name on the wire, also that of its SSE block.
    default String type() {
        return WireName.of(getClass());
    }

    /// The response as a whole, with a full snapshot.
    sealed interface Lifecycle extends StreamEvent {
        ResponseObject response();

        @JsonTypeName("response.created")
        record Created(long sequenceNumber, ResponseObject response) implements Lifecycle {}

        @JsonTypeName("response.queued")
        record Queued(long sequenceNumber, ResponseObject response) implements Lifecycle {}

        @JsonTypeName("response.in_progress")
        record InProgress(long sequenceNumber, ResponseObject response) implements Lifecycle {}

        @JsonTypeName("response.completed")
        record Completed(long sequenceNumber, ResponseObject response) implements Lifecycle {}

        @JsonTypeName("response.incomplete")
        record Incomplete(long sequenceNumber, ResponseObject response) implements Lifecycle {}

        @JsonTypeName("response.failed")
        record Failed(long sequenceNumber, ResponseObject response) implements Lifecycle {}
    }

    /// An output item that opens or closes.
    sealed interface Item extends StreamEvent {
        int outputIndex();

        OutputItem item();

        @JsonTypeName("response.output_item.added")
        record Added(long sequenceNumber, int outputIndex, OutputItem item) implements Item {}

        @JsonTypeName("response.output_item.done")
        record Done(long sequenceNumber, int outputIndex, OutputItem item) implements Item {}
    }

    /// A part of an item's content that opens or closes.
    sealed interface Part extends StreamEvent {
        String itemId();

        int outputIndex();

        int contentIndex();

        OutputContent part();

        @JsonTypeName("response.content_part.added")
        record Added(long sequenceNumber, String itemId, int outputIndex, int contentIndex, OutputContent part)
                implements Part {}

        @JsonTypeName("response.content_part.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int contentIndex, OutputContent part)
                implements Part {}
    }

    /// Text the user sees.
    sealed interface Text extends StreamEvent {
        String itemId();

        int outputIndex();

        int contentIndex();

        @JsonTypeName("response.output_text.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String delta,
                List<Logprob> logprobs)
                implements Text {}

        @JsonTypeName("response.output_text.done")
        record Done(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String text,
                List<Logprob> logprobs)
                implements Text {}
    }

    /// Why the model declines.
    sealed interface Refusal extends StreamEvent {
        String itemId();

        int outputIndex();

        int contentIndex();

        @JsonTypeName("response.refusal.delta")
        record Delta(long sequenceNumber, String itemId, int outputIndex, int contentIndex, String delta)
                implements Refusal {}

        @JsonTypeName("response.refusal.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int contentIndex, String refusal)
                implements Refusal {}
    }

    /// Raw reasoning: only for callers that are entitled to it.
    sealed interface RawReasoning extends StreamEvent {
        String itemId();

        int outputIndex();

        int contentIndex();

        @JsonTypeName("response.reasoning_text.delta")
        record Delta(long sequenceNumber, String itemId, int outputIndex, int contentIndex, String delta)
                implements RawReasoning {
            /// Raw reasoning stays out of logs.
            @Override
            public String toString() {
                return "RawReasoning.Delta[" + sequenceNumber + "]";
            }
        }

        @JsonTypeName("response.reasoning_text.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int contentIndex, String text)
                implements RawReasoning {
            /// Raw reasoning stays out of logs.
            @Override
            public String toString() {
                return "RawReasoning.Done[" + sequenceNumber + "]";
            }
        }
    }

    /// The reviewed summary of the reasoning, part by part.
    sealed interface Summary extends StreamEvent {
        String itemId();

        int outputIndex();

        int summaryIndex();

        @JsonTypeName("response.reasoning_summary_part.added")
        record PartAdded(long sequenceNumber, String itemId, int outputIndex, int summaryIndex, SummaryText part)
                implements Summary {}

        /// `status` is `incomplete` when the part was cut off, else null.
        @JsonTypeName("response.reasoning_summary_part.done")
        record PartDone(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int summaryIndex,
                SummaryText part,
                @Nullable ItemStatus status)
                implements Summary {}

        @JsonTypeName("response.reasoning_summary_text.delta")
        record TextDelta(long sequenceNumber, String itemId, int outputIndex, int summaryIndex, String delta)
                implements Summary {}

        @JsonTypeName("response.reasoning_summary_text.done")
        record TextDone(long sequenceNumber, String itemId, int outputIndex, int summaryIndex, String text)
                implements Summary {}
    }

    /// The JSON text of a function call's arguments.
    sealed interface Arguments extends StreamEvent {
        String itemId();

        int outputIndex();

        @JsonTypeName("response.function_call_arguments.delta")
        record Delta(long sequenceNumber, String itemId, int outputIndex, String delta) implements Arguments {}

        @JsonTypeName("response.function_call_arguments.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, String name, String arguments)
                implements Arguments {}
    }

    /// The stream broke; only `response.failed` may follow. OpenAI's contract wants the error's members flat, Open
    /// Responses and OpenAI's own clients want them nested: both are written.
    @JsonTypeName("error")
    @JsonPropertyOrder({"sequence_number", "code", "message", "param", "error"})
    record Error(long sequenceNumber, ErrorDetail error) implements StreamEvent {
        @JsonProperty
        @JsonInclude(JsonInclude.Include.ALWAYS)
        public @Nullable String code() {
            return error.code();
        }

        @JsonProperty
        public String message() {
            return error.message();
        }

        @JsonProperty
        @JsonInclude(JsonInclude.Include.ALWAYS)
        public @Nullable String param() {
            return error.param();
        }
    }
}
