package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.gateway.request.CustomInput;
import dev.counterpoint.gateway.request.ToolName;
import dev.counterpoint.gateway.turn.Logprobs;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.PackedLogprobs;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.responses.EventLogprob;
import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.HostedItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.ArrayList;
import java.util.List;

/// An output item that is being written. Each knows the order of its own events; which item is open when is
/// the assembler's to know. Not thread-safe.
sealed interface OpenItem permits OpenItem.Message, OpenItem.Call, OpenItem.CustomCall, OpenReasoningItem {
    /// @param id of the item
    /// @param index of the item in the output, from 0
    record Place(String id, int index) {}

    /// What is called.
    ///
    /// @param id of the call
    /// @param plain whether the model writes the text of a custom tool as it is
    /// @param async whether the model continues without the result
    record Called(String id, ToolName tool, boolean plain, boolean async) {}

    /// Closes what is open within the item, then the item.
    OutputItem close(ItemStatus status, EventSequencer events);

    /// Text to the user.
    final class Message implements OpenItem {
        /// The phase of a text that answers.
        static final String ANSWER = "final_answer";

        private final Place place;
        private final String phase;
        private final StringBuilder text = new StringBuilder();
        private final PackedLogprobs.Builder logprobs = new PackedLogprobs.Builder();
        private final List<Logprob> waiting = new ArrayList<>();

        Message(Place place, boolean preamble, EventSequencer events) {
            this.place = place;
            this.phase = preamble ? "commentary" : ANSWER;
            events.add(n -> new StreamEvent.Item.Added(n, place.index, item(ItemStatus.IN_PROGRESS, List.of())));
            events.add(n -> new StreamEvent.Part.Added(n, place.id, place.index, 0, OutputContent.OutputText.of("")));
        }

        void append(Delta delta, EventSequencer events) {
            waiting.addAll(Logprobs.of(delta));
            if (delta.text().isEmpty()) {
                return; // half a character: its probabilities go with the other half
            }
            var fresh = List.copyOf(waiting);
            waiting.clear();
            logprobs.addAll(fresh);
            text.append(delta.text());
            var told = EventLogprob.of(fresh);
            events.add(
                    delta.text(),
                    told,
                    (n, pad) -> new StreamEvent.Text.Delta(n, place.id, place.index, 0, delta.text(), told, pad));
        }

        @Override
        public OutputItem close(ItemStatus status, EventSequencer events) {
            logprobs.addAll(waiting);
            var part = new OutputContent.OutputText(text.toString(), List.of(), logprobs.list());
            var item = item(status, List.of(part));
            events.add(n -> new StreamEvent.Text.Done(
                    n, place.id, place.index, 0, part.text(), EventLogprob.of(part.logprobs())));
            events.add(n -> new StreamEvent.Part.Done(n, place.id, place.index, 0, part));
            events.add(n -> new StreamEvent.Item.Done(n, place.index, item));
            return item;
        }

        private OutputItem item(ItemStatus status, List<OutputContent> content) {
            return new OutputItem.Message(place.id, status, MessageRole.ASSISTANT, content, phase);
        }
    }

    /// A call of a function.
    final class Call implements OpenItem {
        private final Place place;
        private final Called called;
        private final StringBuilder arguments = new StringBuilder();

        Call(Place place, Called called, EventSequencer events) {
            this.place = place;
            this.called = called;
            events.add(n -> new StreamEvent.Item.Added(n, place.index, item(ItemStatus.IN_PROGRESS)));
        }

        void append(Delta delta, EventSequencer events) {
            if (!delta.text().isEmpty()) {
                arguments.append(delta.text());
                events.add(
                        delta.text(),
                        (n, pad) -> new StreamEvent.Arguments.Delta(n, place.id, place.index, delta.text(), pad));
            }
        }

        @Override
        public OutputItem close(ItemStatus status, EventSequencer events) {
            var item = item(status);
            events.add(n ->
                    new StreamEvent.Arguments.Done(n, place.id, place.index, called.tool.name(), arguments.toString()));
            events.add(n -> new StreamEvent.Item.Done(n, place.index, item));
            return item;
        }

        private OutputItem item(ItemStatus status) {
            return new FunctionCall(
                    place.id,
                    called.id,
                    called.tool.name(),
                    arguments.toString(),
                    status,
                    called.tool.namespace(),
                    null,
                    called.async ? true : null,
                    Others.NONE);
        }
    }

    /// A call of a custom tool.
    final class CustomCall implements OpenItem {
        private final Place place;
        private final Called called;
        private final CustomInput arguments;
        private final StringBuilder input = new StringBuilder();

        CustomCall(Place place, Called called, EventSequencer events) {
            this.place = place;
            this.called = called;
            arguments = new CustomInput(called.plain);
            events.add(n -> new StreamEvent.Item.Added(n, place.index, item()));
        }

        void append(Delta delta, EventSequencer events) {
            append(arguments.accept(delta.text()), events);
        }

        private void append(String text, EventSequencer events) {
            if (!text.isEmpty()) {
                input.append(text);
                events.add(text, (n, pad) -> new StreamEvent.CustomInput.Delta(n, place.id, place.index, text, pad));
            }
        }

        @Override
        public OutputItem close(ItemStatus status, EventSequencer events) {
            append(arguments.finish(), events);
            var item = item();
            events.add(n -> new StreamEvent.CustomInput.Done(n, place.id, place.index, input.toString()));
            events.add(n -> new StreamEvent.Item.Done(n, place.index, item));
            return item;
        }

        private OutputItem item() {
            return new HostedItem.CustomToolCall(
                    place.id,
                    called.id,
                    called.tool.name(),
                    input.toString(),
                    called.tool.namespace(),
                    null,
                    called.async ? true : null,
                    Others.NONE);
        }
    }
}
