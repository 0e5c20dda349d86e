package dev.counterpoint.validator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every single mutation of many legal streams is noticed. The numbers of the events are put right after it, because
/// a gap in them would give most of them away.
@Tag("random")
class MutatedStreamsTest {
    private static final int STREAMS = 5 * Integer.getInteger("scale", 1);
    private static final int APPLIED_MIN = 3 * STREAMS;
    /// A server says it as often as it likes.
    private static final String COMPACTING = "response.compaction.compacting";
    /// A stream is right without these.
    private static final Set<String> DISPENSABLE = Set.of(
            "response.queued",
            "response.in_progress",
            COMPACTING,
            "response.web_search_call.searching",
            "response.file_search_call.searching",
            "response.code_interpreter_call.interpreting",
            "response.image_generation_call.generating",
            "response.image_generation_call.partial_image",
            "response.audio.delta",
            "response.audio.done",
            "response.audio.transcript.delta",
            "response.audio.transcript.done");

    private static final List<String> IDS = List.of("item_id", "response_id");
    private static final List<String> INDEXES = List.of(
            "output_index",
            "content_index",
            "summary_index",
            "command_index",
            "annotation_index",
            "partial_image_index");
    private static final List<String> TEXTS =
            List.of("delta", "text", "refusal", "arguments", "input", "code", "command");

    private int applied;

    @Test
    void aLostEvent() {
        applied += eachEvent((events, at) -> {
            if (DISPENSABLE.contains(type(events.get(at)))) {
                return null;
            }
            events.remove(at);
            return renumbered(events);
        });
    }

    @Test
    void aRepeatedEvent() {
        applied += eachEvent((events, at) -> {
            var type = type(events.get(at));
            if (type.startsWith("response.audio") || type.equals(COMPACTING)) {
                return null;
            }
            events.add(at, events.get(at).deepCopy());
            return renumbered(events);
        });
    }

    @Test
    void twoEventsThatChangedPlaces() {
        applied += eachEvent((events, at) -> {
            if (at + 1 == events.size() || !ordered(events.get(at), events.get(at + 1))) {
                return null;
            }
            Collections.swap(events, at, at + 1);
            return renumbered(events);
        });
    }

    @Test
    void aNumberThatIsNotTheNext() {
        applied += eachEvent((events, at) -> {
            events.get(at).put("sequence_number", at + 1);
            return events;
        });
    }

    @Test
    void anUnknownType() {
        applied += eachEvent((events, at) -> {
            events.get(at).put("type", type(events.get(at)) + ".more");
            return events;
        });
    }

    @Test
    void aChangedId() {
        for (var member : IDS) {
            applied += eachEvent((events, at) -> {
                var event = events.get(at);
                return event.has(member) ? changed(events, event.put(member, "other")) : null;
            });
        }
        applied += eachEvent((events, at) -> events.get(at).path("item") instanceof ObjectNode item
                ? changed(events, item.put("id", "other"))
                : null);
        for (var member : List.of("id", "model", "object", "created_at")) {
            applied += eachEvent((events, at) -> events.get(at).path("response") instanceof ObjectNode response
                    ? changed(events, member.equals("created_at") ? response.put(member, 1) : response.put(member, "x"))
                    : null);
        }
    }

    @Test
    void aChangedIndex() {
        for (var member : INDEXES) {
            applied += eachEvent((events, at) -> {
                var event = events.get(at);
                return event.has(member)
                        ? changed(events, event.put(member, event.path(member).asInt() + 1))
                        : null;
            });
        }
    }

    @Test
    void aChangedText() {
        for (var member : TEXTS) {
            applied += eachEvent((events, at) -> {
                var event = events.get(at);
                return type(event).startsWith("response.audio") ? null : longer(events, event, member);
            });
            applied += eachEvent((events, at) ->
                    events.get(at).path("part") instanceof ObjectNode part ? longer(events, part, member) : null);
            applied += eachEvent((events, at) -> events.get(at).path("item") instanceof ObjectNode item
                            && type(events.get(at)).endsWith("done")
                    ? longer(events, item, member)
                    : null);
        }
    }

    @Test
    void aMissingMember() {
        for (var member : List.of("sequence_number", "item_id", "output_index", "item", "part", "response", "delta")) {
            applied += eachEvent((events, at) -> events.get(at).remove(member) == null ? null : events);
        }
    }

    @AfterEach
    void itAppliedOften() {
        assertThat(applied).isGreaterThan(APPLIED_MIN);
    }

    @FunctionalInterface
    private interface Mutation {
        /// Null where it does not apply.
        @Nullable
        List<ObjectNode> apply(List<ObjectNode> events, int at);
    }

    /// @return how often it applied
    private static int eachEvent(Mutation mutation) {
        int applied = 0;
        for (long seed = 0; seed < STREAMS; seed++) {
            int size = RandomStream.of(seed).size();
            for (int at = 0; at < size; at++) {
                var type = type(RandomStream.of(seed).get(at));
                var mutant = mutation.apply(new ArrayList<>(RandomStream.of(seed)), at);
                if (mutant == null) {
                    continue;
                }
                applied++;
                assertThat(StreamValidator.validate(new TestStream(mutant).bytes(), ValidatorOptions.DEFAULT))
                        .as("seed %d, event %d, %s", seed, at + 1, type)
                        .isNotEmpty();
            }
        }
        return applied;
    }

    /// The events, of which one has just been changed.
    private static List<ObjectNode> changed(List<ObjectNode> events, ObjectNode ignored) {
        return events;
    }

    private static @Nullable List<ObjectNode> longer(List<ObjectNode> events, ObjectNode node, String member) {
        return node.path(member).isTextual()
                ? changed(events, node.put(member, node.path(member).asText() + "x"))
                : null;
    }

    private static List<ObjectNode> renumbered(List<ObjectNode> events) {
        return new TestStream(events).renumbered().events();
    }

    /// Whether these two may only come in this order.
    private static boolean ordered(ObjectNode one, ObjectNode other) {
        if (one.has("response") || other.has("response")) {
            return !DISPENSABLE.contains(type(one))
                    && !type(one).startsWith("response.audio")
                    && !type(other).startsWith("response.audio");
        }
        if (one.path("output_index").asInt(-1) != other.path("output_index").asInt(-2)) {
            return one.has("item")
                    && other.has("item")
                    && type(one).endsWith("added")
                    && type(other).endsWith("added");
        }
        return one.has("item") || other.has("item") || strand(one).equals(strand(other));
    }

    private static String strand(ObjectNode event) {
        if (type(event).contains("annotation")) {
            return "annotation" + event.path("content_index");
        }
        for (var index : List.of("content_index", "summary_index", "command_index")) {
            if (event.has(index)) {
                return index + event.path(index);
            }
        }
        return TEXTS.stream().anyMatch(event::has) ? "text" : type(event).contains("image") ? type(event) : "progress";
    }

    private static String type(ObjectNode event) {
        return event.path("type").asText();
    }
}
