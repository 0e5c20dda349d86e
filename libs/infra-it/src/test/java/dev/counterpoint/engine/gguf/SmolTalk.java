package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Asks an engine of messages, and reads what it said.
final class SmolTalk {
    private SmolTalk() {}

    /// @param text of a channel, or of a call
    record Message(String channel, @Nullable String recipient, String text) {}

    record Answer(int[] tokens, StopReason reason, String detail) {
        List<Message> messages() {
            var messages = new ArrayList<Message>();
            var parser = new HarmonyParser(Role.ASSISTANT);
            Arrays.stream(tokens).forEach(token -> parser.accept(token, event -> read(event, messages)));
            parser.cutOff(event -> read(event, messages));
            return messages;
        }

        private static void read(HarmonyEvent event, List<Message> messages) {
            if (event instanceof HarmonyEvent.MessageStarted started) {
                messages.add(new Message(String.valueOf(started.channel()), started.recipient(), ""));
            } else if (event instanceof HarmonyEvent.TextDelta(var text)) {
                var last = messages.removeLast();
                messages.add(new Message(last.channel, last.recipient, last.text + text));
            }
        }

        String of(String channel) {
            return String.join(
                    "",
                    messages().stream()
                            .filter(message -> message.channel.equals(channel) && message.recipient == null)
                            .map(Message::text)
                            .toList());
        }
    }

    static GenerationJob job(
            String question,
            @Nullable Integer reasoningMax,
            @Nullable ResponseFormat format,
            List<FunctionTool> tools) {
        return new GenerationJob(
                List.of(new PromptItem.User(question)),
                tools,
                ToolChoice.AUTO,
                "medium",
                "2026-11-29",
                format,
                GenerationJob.Sampling.DEFAULT,
                0,
                ReasoningTerms.of("").withTokensMax(reasoningMax));
    }

    static GenerationRequest request(GenerationJob job, int[] prefix, Sampling sampling, int max) {
        return new GenerationRequest(
                "attempt", new int[] {1}, prefix, sampling, max, Set.of(), TokenMask.ALL, "tenant", job);
    }

    static Answer answer(Engine engine, GenerationRequest request) throws InterruptedException {
        try (var generation = new PulledGeneration(engine, request)) {
            return read(generation);
        }
    }

    static Answer read(PulledGeneration generation) throws InterruptedException {
        var tokens = IntStream.builder();
        while (true) {
            switch (generation.next()) {
                case Step.Token token -> tokens.add(token.id());
                case Step.Stopped(var reason, var detail) -> {
                    return new Answer(tokens.build().toArray(), reason, detail);
                }
                case null -> {}
            }
        }
    }
}
