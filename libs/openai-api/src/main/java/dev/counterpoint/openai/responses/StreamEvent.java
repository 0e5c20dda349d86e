package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.LazyList;
import dev.counterpoint.openai.error.ErrorDetail;
import dev.counterpoint.openai.json.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One event of a streamed response; `sequenceNumber` counts from 0 without gaps.
///
/// `outputIndex` is the place of the item; `contentIndex`, `summaryIndex` or `commandIndex` is the place of the
/// part within it. All count from 0. A `Done` repeats the whole content of its deltas. The `obfuscation` of a delta
/// is padding against observers that see only lengths; null for none. Events of the server's own tools are in
/// [HostedEvent].
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
        @JsonTypeName("response.output_item.added")
        record Added(long sequenceNumber, int outputIndex, OutputItem item) implements Item {}

        @JsonTypeName("response.output_item.done")
        record Done(long sequenceNumber, int outputIndex, OutputItem item) implements Item {}
    }

    /// Something that happens within the item `itemId`, which stands at `outputIndex`.
    sealed interface InItem extends StreamEvent
            permits InContent, Summary, Arguments, CustomInput, Compacting, HostedEvent {}

    /// Something that happens within the part of an item's content at `contentIndex`.
    sealed interface InContent extends InItem {}

    /// A part of an item's content that opens or closes.
    sealed interface Part extends InContent {
        @JsonTypeName("response.content_part.added")
        record Added(long sequenceNumber, String itemId, int outputIndex, int contentIndex, OutputContent part)
                implements Part {}

        @JsonTypeName("response.content_part.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int contentIndex, OutputContent part)
                implements Part {}
    }

    /// Text the user sees.
    sealed interface Text extends InContent {
        @JsonTypeName("response.output_text.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String delta,
                List<EventLogprob> logprobs,
                @Nullable String obfuscation)
                implements Text {
            public Delta {
                logprobs = List.copyOf(logprobs);
            }
        }

        @JsonTypeName("response.output_text.done")
        record Done(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String text,
                List<EventLogprob> logprobs)
                implements Text {
            public Done {
                logprobs = LazyList.copyOf(logprobs);
            }
        }

        /// A source of the text so far; the contract lets `annotation` be null.
        @JsonTypeName("response.output_text.annotation.added")
        record AnnotationAdded(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                int annotationIndex,

                @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
                Annotation annotation)
                implements Text {}
    }

    /// Why the model declines.
    sealed interface Refusal extends InContent {
        @JsonTypeName("response.refusal.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String delta,
                @Nullable String obfuscation)
                implements Refusal {}

        @JsonTypeName("response.refusal.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, int contentIndex, String refusal)
                implements Refusal {}
    }

    /// Raw reasoning: only for callers that are entitled to it.
    sealed interface RawReasoning extends InContent {
        @JsonTypeName("response.reasoning_text.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int contentIndex,
                String delta,
                @Nullable String obfuscation)
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
    sealed interface Summary extends InItem {
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
        record TextDelta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                int summaryIndex,
                String delta,
                @Nullable String obfuscation)
                implements Summary {}

        @JsonTypeName("response.reasoning_summary_text.done")
        record TextDone(long sequenceNumber, String itemId, int outputIndex, int summaryIndex, String text)
                implements Summary {}
    }

    /// The JSON text of a function call's arguments.
    sealed interface Arguments extends InItem {
        @JsonTypeName("response.function_call_arguments.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                String delta,
                @Nullable String obfuscation) implements Arguments {}

        @JsonTypeName("response.function_call_arguments.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, String name, String arguments)
                implements Arguments {}
    }

    /// The free text that goes into a custom tool.
    sealed interface CustomInput extends InItem {
        @JsonTypeName("response.custom_tool_call_input.delta")
        record Delta(
                long sequenceNumber,
                String itemId,
                int outputIndex,
                String delta,
                @Nullable String obfuscation) implements CustomInput {}

        @JsonTypeName("response.custom_tool_call_input.done")
        record Done(long sequenceNumber, String itemId, int outputIndex, String input) implements CustomInput {}
    }

    /// A summary is written for the compaction.
    @JsonTypeName("response.compaction.compacting")
    record Compacting(long sequenceNumber, String itemId, int outputIndex) implements InItem {}

    /// One of the commands of the shell call at `outputIndex`; the contract gives these no item id.
    sealed interface ShellCommand extends StreamEvent {
        @JsonTypeName("response.shell_call_command.added")
        record Added(long sequenceNumber, int outputIndex, int commandIndex, String command) implements ShellCommand {}

        @JsonTypeName("response.shell_call_command.delta")
        record Delta(
                long sequenceNumber,
                int outputIndex,
                int commandIndex,
                String delta,
                @Nullable String obfuscation) implements ShellCommand {}

        @JsonTypeName("response.shell_call_command.done")
        record Done(long sequenceNumber, int outputIndex, int commandIndex, String command) implements ShellCommand {}
    }

    /// Spoken output beside the items: `delta` is base64 audio, or text of the transcript. The contract
    /// requires a `responseId` of all but the first, without saying what it is.
    sealed interface Audio extends StreamEvent {
        @JsonTypeName("response.audio.delta")
        record Delta(
                long sequenceNumber, String delta, @Nullable String obfuscation) implements Audio {}

        @JsonTypeName("response.audio.done")
        record Done(long sequenceNumber, String responseId) implements Audio {}

        @JsonTypeName("response.audio.transcript.delta")
        record TranscriptDelta(
                long sequenceNumber,
                String responseId,
                String delta,
                @Nullable String obfuscation) implements Audio {}

        @JsonTypeName("response.audio.transcript.done")
        record TranscriptDone(long sequenceNumber, String responseId) implements Audio {}
    }

    /// There is no response: the only event of its stream. OpenAI's contract wants the error's members
    /// flat, Open Responses and OpenAI's own clients want them nested.
    ///
    /// @param error the same once more; null where the server is one that says it only once
    @JsonTypeName("error")
    record Error(
            long sequenceNumber,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            String code,

            String message,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            String param,

            @Nullable ErrorDetail error)
            implements StreamEvent {}

    /// An event that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements StreamEvent {
        /// -1 where it has none.
        @Override
        public long sequenceNumber() {
            return raw.path("sequence_number").asLong(-1);
        }

        @Override
        public String type() {
            return raw.path("type").asText();
        }
    }
}
