package dev.counterpoint.gateway.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The order that the events of a Responses stream must have, checked on their JSON alone: an own reading of the
/// rules, so that it can disagree with the assembler. Collects complaints instead of stopping at the first.
final class StreamGrammar {
    private static final Set<String> TERMINAL = Set.of("response.completed", "response.failed", "response.incomplete");

    private final List<String> complaints = new ArrayList<>();
    private final Map<Integer, Item> items = new HashMap<>();
    private JsonNode response = MissingNode.getInstance();
    private long next;
    private boolean ended;

    private static final class Item {
        final String id;
        final JsonNode added;
        final List<Part> parts = new ArrayList<>();
        final List<Part> summary = new ArrayList<>();
        final StringBuilder arguments = new StringBuilder();
        boolean argumentsDone;
        JsonNode done = MissingNode.getInstance();

        Item(JsonNode added) {
            this.added = added;
            this.id = added.path("id").asText();
        }
    }

    private static final class Part {
        final StringBuilder text = new StringBuilder();
        boolean textDone;
        boolean done;
    }

    /// The complaints about a whole stream; empty when it is right.
    static List<String> complaints(List<JsonNode> events) {
        var grammar = new StreamGrammar();
        events.forEach(grammar::accept);
        grammar.check(grammar.ended, "there is no terminal event");
        return grammar.complaints;
    }

    private void accept(JsonNode event) {
        var type = event.path("type").asText();
        check(!ended, type + " after the terminal event");
        check(event.path("sequence_number").asLong(-1) == next, type + " is not number " + next);
        next++;
        if (event.has("response")) {
            lifecycle(type, event.path("response"));
        } else {
            check(next > 2, type + " before created and in progress");
            within(type, event);
        }
    }

    private void lifecycle(String type, JsonNode snapshot) {
        switch (type) {
            case "response.created" -> check(next == 1, "created is not first");
            case "response.in_progress" -> check(next == 2, "in_progress is not second");
            default -> {
                check(TERMINAL.contains(type), "unknown lifecycle event " + type);
                ended = true;
                terminal(type, snapshot);
            }
        }
        if (!response.isMissingNode()) {
            for (var member : List.of("id", "created_at", "model", "tools", "metadata")) {
                check(snapshot.path(member).equals(response.path(member)), member + " changed");
            }
        }
        response = snapshot;
        check(ended || snapshot.path("usage").isNull(), "an unfinished snapshot has usage");
        check(ended || snapshot.path("output").isEmpty(), "output before the first item");
    }

    private void terminal(String type, JsonNode snapshot) {
        var status = snapshot.path("status").asText();
        boolean fits = switch (type) {
            case "response.completed" -> status.equals("completed");
            case "response.incomplete" ->
                status.equals("incomplete")
                        && snapshot.path("incomplete_details").path("reason").isTextual();
            default -> status.equals("failed") && snapshot.path("error").has("code") || status.equals("cancelled");
        };
        check(fits, type + " with status " + status);
        check(snapshot.path("output").size() == items.size(), "the output has not all items");
        items.forEach((index, item) -> {
            check(!item.done.isMissingNode(), "item " + index + " was never done");
            check(item.done.equals(snapshot.path("output").path(index)), "item " + index + " differs from its done");
        });
        for (int index = 0; index < snapshot.path("output").size(); index++) {
            var itemStatus = snapshot.path("output").path(index).path("status").asText();
            boolean last = index == snapshot.path("output").size() - 1;
            check(
                    itemStatus.equals("completed")
                            || itemStatus.equals("incomplete") && last && !status.equals("completed"),
                    "item " + index + " is " + itemStatus + " in a response that is " + status);
        }
    }

    private void within(String type, JsonNode event) {
        int index = event.path("output_index").asInt(-1);
        if (type.equals("response.output_item.added")) {
            check(index == items.size(), "output_index " + index + " is not the next");
            check(items.values().stream().noneMatch(item -> item.done.isMissingNode()), "two items are open");
            items.put(index, new Item(event.path("item")));
            return;
        }
        var item = items.get(index);
        if (item == null || !item.done.isMissingNode()) {
            complaints.add(type + " outside of item " + index);
            return;
        }
        if (type.equals("response.output_item.done")) {
            done(item, event.path("item"));
            return;
        }
        check(item.id.equals(event.path("item_id").asText()), type + " names another item");
        if (type.startsWith("response.function_call_arguments.")) {
            arguments(type, item, event);
        } else if (type.startsWith("response.reasoning_summary_")) {
            summary(type, item, event);
        } else {
            part(type, item, event);
        }
    }

    private void done(Item item, JsonNode done) {
        item.done = done;
        check(done.path("id").asText().equals(item.id), "the item's id changed");
        for (var member : List.of("type", "role", "phase", "name", "call_id")) {
            check(done.path(member).equals(item.added.path(member)), member + " of an item changed");
        }
        check(item.added.path("status").asText().equals("in_progress"), "an item begins " + item.added.path("status"));
        check(item.parts.stream().allMatch(part -> part.done), "an item is done before its parts");
        check(item.summary.stream().allMatch(part -> part.done), "an item is done before its summary");
        check(done.path("summary").size() == item.summary.size(), "an item has not all of its summary");
        for (int i = 0; i < item.summary.size(); i++) {
            check(
                    done.path("summary").path(i).path("text").asText().contentEquals(item.summary.get(i).text),
                    "a summary of the item is not the sum of its deltas");
        }
        check(done.path("content").size() == item.parts.size(), "an item has not all parts");
        for (int i = 0; i < item.parts.size(); i++) {
            check(
                    done.path("content").path(i).path("text").asText().contentEquals(item.parts.get(i).text),
                    "a part of the item is not the sum of its deltas");
        }
        if (done.path("type").asText().equals("function_call")) {
            check(item.argumentsDone, "a call is done before its arguments");
            check(done.path("arguments").asText().contentEquals(item.arguments), "arguments are not the deltas' sum");
        }
    }

    private void arguments(String type, Item item, JsonNode event) {
        check(!item.argumentsDone, type + " after done");
        if (type.endsWith(".delta")) {
            check(!event.path("delta").asText().isEmpty(), "an empty delta");
            item.arguments.append(event.path("delta").asText());
        } else {
            item.argumentsDone = true;
            check(event.path("arguments").asText().contentEquals(item.arguments), "arguments are not the deltas' sum");
            check(event.path("name").equals(item.added.path("name")), "the call's name changed");
        }
    }

    private void summary(String type, Item item, JsonNode event) {
        int index = event.path("summary_index").asInt(-1);
        if (type.equals("response.reasoning_summary_part.added")) {
            check(index == item.summary.size(), "summary_index " + index + " is not the next");
            check(item.summary.stream().allMatch(part -> part.done), "two parts of a summary are open");
            item.summary.add(new Part());
            return;
        }
        if (index < 0 || index >= item.summary.size() || item.summary.get(index).done) {
            complaints.add(type + " outside of part " + index);
            return;
        }
        var part = item.summary.get(index);
        switch (type) {
            case "response.reasoning_summary_text.delta" -> {
                check(!part.textDone, type + " after done");
                part.text.append(event.path("delta").asText());
            }
            case "response.reasoning_summary_text.done" -> {
                check(event.path("text").asText().contentEquals(part.text), "a summary is not its deltas' sum");
                part.textDone = true;
            }
            case "response.reasoning_summary_part.done" -> {
                check(part.textDone, "a part of a summary is done before its text");
                check(event.path("part").path("text").asText().contentEquals(part.text), "a summary lost its text");
                part.done = true;
            }
            default -> complaints.add("an event that has no place here: " + type);
        }
    }

    private void part(String type, Item item, JsonNode event) {
        int index = event.path("content_index").asInt(-1);
        if (type.equals("response.content_part.added")) {
            check(index == item.parts.size(), "content_index " + index + " is not the next");
            check(item.parts.stream().allMatch(part -> part.done), "two parts are open");
            check(event.path("part").path("text").asText("x").isEmpty(), "a part begins with text");
            item.parts.add(new Part());
            return;
        }
        if (index < 0 || index >= item.parts.size() || item.parts.get(index).done) {
            complaints.add(type + " outside of part " + index);
            return;
        }
        var part = item.parts.get(index);
        switch (type) {
            case "response.output_text.delta", "response.reasoning_text.delta" -> {
                check(!part.textDone, type + " after done");
                check(!event.path("delta").asText().isEmpty(), "an empty delta");
                part.text.append(event.path("delta").asText());
            }
            case "response.output_text.done", "response.reasoning_text.done" -> {
                check(!part.textDone, type + " twice");
                check(event.path("text").asText().contentEquals(part.text), "a text is not its deltas' sum");
                part.textDone = true;
            }
            case "response.content_part.done" -> {
                check(part.textDone, "a part is done before its text");
                check(event.path("part").path("text").asText().contentEquals(part.text), "a part lost its text");
                part.done = true;
            }
            default -> complaints.add("an event that has no place here: " + type);
        }
    }

    private void check(boolean holds, String complaint) {
        if (!holds) {
            complaints.add(complaint);
        }
    }
}
