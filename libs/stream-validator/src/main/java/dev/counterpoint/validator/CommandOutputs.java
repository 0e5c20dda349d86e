package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.TreeMap;

/// What the commands of a shell call put out, command by command.
final class CommandOutputs {
    private static final List<String> CHANNELS = List.of("stdout", "stderr");

    private final String item;
    private final boolean fromStart;
    private final StreamViolations violations;
    private final TreeMap<Integer, Output> commands = new TreeMap<>();

    private static final class Output {
        final StringBuilder[] channels = {new StringBuilder(), new StringBuilder()};
        final ArrayNode done = JsonNodeFactory.instance.arrayNode();
        boolean closed;
    }

    CommandOutputs(String item, boolean fromStart, StreamViolations violations) {
        this.item = item;
        this.fromStart = fromStart;
        this.violations = violations;
    }

    void accept(JsonNode event, boolean last) {
        int command = event.path("command_index").asInt(-1);
        var output = commands.computeIfAbsent(command, _ -> new Output());
        if (output.closed) {
            violations.add(
                    ValidationRule.ORDER, "the output of command " + command + " of " + item + " is closed already");
            return;
        }
        if (!last) {
            for (int i = 0; i < CHANNELS.size(); i++) {
                output.channels[i].append(
                        event.path("delta").path(CHANNELS.get(i)).asText(""));
            }
            return;
        }
        output.closed = true;
        event.path("output").forEach(output.done::add);
        for (int i = 0; i < CHANNELS.size(); i++) {
            compare(command, CHANNELS.get(i), output);
        }
    }

    private void compare(int command, String channel, Output output) {
        var whole = new StringBuilder();
        output.done.forEach(part -> whole.append(part.path(channel).asText("")));
        var sum = output.channels[CHANNELS.indexOf(channel)];
        if (!fromStart && whole.toString().endsWith(sum.toString())) {
            return;
        }
        var difference = ValueDifference.ofTexts(whole, sum);
        if (difference != null) {
            violations.add(
                    ValidationRule.WHOLE,
                    channel + " of command " + command + " of " + item + " is not the sum of its deltas: differs "
                            + difference);
        }
    }

    /// Checks that the finished item repeats the closed outputs.
    void compareWith(JsonNode itemDone) {
        if (commands.isEmpty()) {
            return;
        }
        var all = JsonNodeFactory.instance.arrayNode();
        commands.forEach((command, output) -> {
            if (!output.closed) {
                violations.add(
                        ValidationRule.ORDER, item + " is closed while the output of command " + command + " is open");
            }
            output.done.forEach(all::add);
        });
        if (fromStart && ValueDifference.between(all, itemDone.path("output")) != null) {
            violations.add(ValidationRule.WHOLE, item + " does not hold the output that was closed");
        }
    }
}
