package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.HostedItem;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// The parts of a conversation that is made shorter: developers' messages and settings stay word for word, as does all
/// from the last question on; a summary stands for the rest; reasoning is left out. Pure.
///
/// @param rules messages of developers and settings, before the last question
/// @param told what is to be summed up
/// @param rest all from the last question on, after the calls whose results do not stand before it
record CompactionPlan(List<InputItem> rules, List<InputItem> told, List<InputItem> rest) {
    private static final String HEADING = "Summary of the conversation so far:\n\n";

    static CompactionPlan of(List<InputItem> conversation) {
        var items = conversation.stream()
                .filter(item -> !(item instanceof InputItem.Reasoning))
                .toList();
        int question = items.size() - 1;
        while (question >= 0 && !isFrom(items.get(question), MessageRole.USER)) {
            question--;
        }
        var head = new ArrayList<>(items.subList(0, Math.max(question, 0)));
        var rest = new ArrayList<>(items.subList(Math.max(question, 0), items.size()));
        var answered = head.stream().map(CompactionPlan::answered).collect(Collectors.toSet());
        var calls = head.stream()
                .filter(item -> !called(item).isEmpty() && !answered.contains(called(item)))
                .toList();
        head.removeAll(calls);
        rest.addAll(0, calls);
        var rules = head.stream().filter(CompactionPlan::isRule).toList();
        head.removeIf(CompactionPlan::isRule);
        return new CompactionPlan(rules, List.copyOf(head), List.copyOf(rest));
    }

    /// The id of the call that an item is; empty for none.
    private static String called(InputItem item) {
        return item instanceof FunctionCall call
                ? call.callId()
                : item instanceof HostedItem.CustomToolCall call ? call.callId() : "";
    }

    /// The id of the call whose result the item is; empty for none.
    private static String answered(InputItem item) {
        return item instanceof InputItem.FunctionCallOutput output
                ? Objects.requireNonNullElse(output.callId(), "")
                : item instanceof InputItem.CustomToolCallOutput output ? output.callId() : "";
    }

    /// The items that a model sums up, as text.
    String transcript() {
        var text = new StringBuilder();
        for (var item : told) {
            switch (item) {
                case InputItem.Message message ->
                    line(message.role() == MessageRole.USER ? "User" : "Assistant", text(message.content()), text);
                case FunctionCall call when ItemStatus.INCOMPLETE.equals(call.status()) -> {}
                case FunctionCall call -> line("Assistant calls " + call.name(), call.arguments(), text);
                case InputItem.FunctionCallOutput output -> line("The call returns", text(output.output()), text);
                case InputItem.Reasoning _, InputItem.ItemReference _, InputItem.Hosted _, InputItem.Unknown _ -> {}
            }
        }
        return text.toString();
    }

    /// The shorter conversation. The summary has no more authority than the user whose words went into it.
    ///
    /// @param summary empty when there was nothing to sum up
    List<InputItem> with(String summary) {
        var items = new ArrayList<>(rules);
        if (!summary.isEmpty()) {
            items.add(new InputItem.Message(MessageRole.USER, new MessageContent.Text(HEADING + summary)));
        }
        items.addAll(rest);
        return items;
    }

    private static void line(String who, String what, StringBuilder text) {
        text.append(who).append(": ").append(what).append('\n');
    }

    private static String text(MessageContent content) {
        return InputItems.words(content, "input");
    }

    private static boolean isRule(InputItem item) {
        return isFrom(item, MessageRole.DEVELOPER) || isFrom(item, MessageRole.SYSTEM) || InputItems.isSetting(item);
    }

    private static boolean isFrom(InputItem item, MessageRole role) {
        return item instanceof InputItem.Message message && Objects.equals(message.role(), role);
    }
}
