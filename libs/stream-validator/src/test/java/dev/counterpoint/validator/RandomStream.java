package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.json;
import static dev.counterpoint.validator.TestStream.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A stream that is right, of items that interleave in any way.
final class RandomStream {
    private static final int ITEMS_MAX = 4;

    private RandomStream() {}

    static List<ObjectNode> of(long seed) {
        var random = new Random(seed);
        var events = new ArrayList<ObjectNode>();
        boolean queued = random.nextBoolean();
        events.add(snapshot("created", queued ? "queued" : "in_progress", List.of()));
        if (queued && random.nextBoolean()) {
            events.add(snapshot("queued", "queued", List.of()));
        }
        if (random.nextInt(4) > 0) {
            events.add(snapshot("in_progress", "in_progress", List.of()));
        }
        var items = new ArrayList<RandomItem.Told>();
        for (int index = 0; index < random.nextInt(ITEMS_MAX + 1); index++) {
            var kind = RandomItem.KINDS.get(random.nextInt(RandomItem.KINDS.size()));
            items.add(RandomItem.of(kind, random, index));
        }
        events.addAll(interleaved(items, random));
        if (random.nextInt(4) == 0) {
            sound(events);
        }
        var ending = List.of("completed", "incomplete", "failed").get(random.nextInt(3));
        events.add(snapshot(
                ending, ending, items.stream().map(RandomItem.Told::done).toList()));
        for (int i = 0; i < events.size(); i++) {
            events.get(i).put("sequence_number", i);
        }
        return events;
    }

    private static List<ObjectNode> interleaved(List<RandomItem.Told> items, Random random) {
        var waiting = new ArrayList<ArrayDeque<ObjectNode>>();
        items.forEach(item -> waiting.add(new ArrayDeque<>(item.events())));
        var events = new ArrayList<ObjectNode>();
        int opened = 0;
        while (waiting.stream().anyMatch(item -> !item.isEmpty())) {
            int next = random.nextInt(Math.min(opened + 1, waiting.size()));
            if (waiting.get(next).isEmpty()) {
                continue;
            }
            events.add(waiting.get(next).remove());
            opened = Math.max(opened, next + 1);
        }
        return events;
    }

    private static void sound(List<ObjectNode> events) {
        for (var type : List.of("audio.delta", "audio.transcript.delta", "audio.transcript.done", "audio.done")) {
            var event = json("{'type':'response." + type + "','sequence_number':0,'response_id':'resp_1'}");
            events.add(type.endsWith("delta") ? event.put("delta", "YQ==") : event);
        }
    }
}
