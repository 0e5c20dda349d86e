package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.render.ReferenceCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Our answers held against those of one reference.
final class OracleComparison {
    private static final int BATCH = 250;
    /// Of more differences only their number is told.
    private static final int SHOWN_MAX = 5;

    private final ReferenceCodec reference;
    private final OracleCases cases;
    private final ReferenceProcess process;
    private final OurAnswers ours;
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> kinds = new TreeMap<>();
    private Duration took = Duration.ZERO;
    private int errors;

    OracleComparison(ReferenceCodec reference, long seed, ReferenceProcess process) {
        this.reference = reference;
        this.cases = new OracleCases(seed);
        this.process = process;
        this.ours = new OurAnswers(reference);
    }

    /// The cases from the first number up to, but without the second.
    void compare(int from, int to) throws IOException {
        long start = System.nanoTime();
        for (int first = from; first < to; first += BATCH) {
            int base = first;
            var batch = IntStream.range(first, Math.min(to, first + BATCH))
                    .mapToObj(cases::number)
                    .toList();
            process.send(batch);
            var answers = batch.stream().map(this::ourAnswer).toList();
            var expected = process.receive(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                count(batch.get(i), expected.get(i));
                if (!answers.get(i).equals(expected.get(i))) {
                    differences.add(
                            differences.size() < SHOWN_MAX ? report(base + i, batch.get(i)) : "case " + (base + i));
                }
            }
        }
        took = Duration.ofNanos(System.nanoTime() - start);
    }

    List<String> differences() {
        return differences;
    }

    String summary() {
        return "oracle %s: seed %d, %s, %d of them with errors, %d differences, %d s"
                .formatted(reference, cases.seed(), kinds, errors, differences.size(), took.toSeconds());
    }

    private void count(JsonNode one, JsonNode answer) {
        kinds.merge(one.path("kind").asText(), 1, Integer::sum);
        if (answer.has("error") || !answer.path("errors").isEmpty()) {
            errors++;
        }
    }

    private JsonNode ourAnswer(JsonNode one) {
        try {
            return ours.to(one);
        } catch (RuntimeException e) {
            return JsonMaker.JSON.objectNode().put("thrown", e.toString());
        }
    }

    private String report(int number, ObjectNode one) {
        var smallest = smallest(one);
        var again = "-Dseed=%d -Doracle.case=%d".formatted(cases.seed(), number);
        return String.join(
                "\n  ",
                "\n" + reference + ", alone again with " + again,
                "case      " + OracleJson.write(smallest),
                "ours      " + OracleJson.write(ourAnswer(smallest)),
                "reference " + OracleJson.write(ask(smallest)));
    }

    /// Only the input shrinks: the conversation, the tokens or the text.
    private JsonNode smallest(ObjectNode one) {
        var member = switch (one.path("kind").asText()) {
            case "render" -> "conversation";
            case "encode" -> "text";
            default -> "tokens";
        };
        if (member.equals("conversation")) {
            var conversation = OracleJson.read(one.path(member).asText());
            var smallest = Shrinker.shrink(conversation, json -> differs(with(one, member, asText(json))));
            return with(one, member, smallest.equals(conversation) ? one.path(member) : asText(smallest));
        }
        return with(one, member, Shrinker.shrink(one.path(member), json -> differs(with(one, member, json))));
    }

    private static JsonNode asText(JsonNode json) {
        return JsonMaker.JSON.textNode(OracleJson.write(json));
    }

    private static ObjectNode with(ObjectNode one, String member, JsonNode value) {
        var changed = one.deepCopy();
        changed.set(member, value);
        return changed;
    }

    private boolean differs(JsonNode one) {
        var answer = ask(one);
        return !answer.has("refused") && !ourAnswer(one).equals(answer);
    }

    private JsonNode ask(JsonNode one) {
        try {
            process.send(List.of(one));
            return process.receive(1).getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
