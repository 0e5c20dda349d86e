package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.turn.DeltaPadding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatLogprobs;
import dev.counterpoint.openai.chat.ChatUsage;
import dev.counterpoint.openai.chat.FinishReason;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes the chunks of one answer, with their common members and padding. Not thread-safe.
final class ChatChunks {
    private final ChatPlan plan;
    private final TurnIds completion;
    private final @Nullable DeltaPadding padding;
    private long made;

    /// @param id of the generation
    ChatChunks(ResponseId id, ChatPlan plan) {
        this.plan = plan;
        var choice = plan.choice();
        completion = new TurnIds(
                choice == null
                        ? id
                        : TurnIds.parseCompletion(choice.completion()).orElseThrow());
        padding = plan.padded() ? new DeltaPadding(id) : null;
    }

    /// Id of the completion, which may be of several answers.
    String id() {
        return completion.completion();
    }

    /// Seconds since 1970.
    long created() {
        return completion.createdAt();
    }

    ChatChunk of(ChatChunk.Delta delta) {
        return of(delta, null, null);
    }

    ChatChunk of(ChatChunk.Delta delta, @Nullable List<Logprob> fresh, @Nullable FinishReason finish) {
        made++;
        var choice = new ChatChunk.Choice(plan.index(), delta, logprobs(fresh), finish);
        return chunk(List.of(choice), null, padding == null ? null : pad(choice, padding));
    }

    /// The last chunk, which has no choice.
    ChatChunk usage(@Nullable ChatUsage usage) {
        return chunk(List.of(), usage, null);
    }

    @Nullable
    ChatLogprobs logprobs(@Nullable List<Logprob> fresh) {
        return plan.logprobs() && fresh != null ? ChatLogprobs.ofContent(fresh) : null;
    }

    private ChatChunk chunk(List<ChatChunk.Choice> choices, @Nullable ChatUsage usage, @Nullable String pad) {
        var told = plan.usageInStream() ? new ChatChunk.Usage(usage) : null;
        return new ChatChunk(id(), created(), plan.model(), choices, told, plan.serviceTier(), null, null, pad);
    }

    private @Nullable String pad(ChatChunk.Choice choice, DeltaPadding padding) {
        int bytes = size(choice);
        return bytes == 0 ? null : padding.of(made, bytes);
    }

    /// Bytes of what differs from chunk to chunk.
    private static int size(ChatChunk.Choice choice) {
        var delta = choice.delta();
        int size = size(delta.content()) + size(delta.reasoning()) + size(delta.reasoningSummary());
        for (var call : Objects.requireNonNullElse(delta.toolCalls(), List.<ChatChunk.ToolCallDelta>of())) {
            size += call.function() == null ? 0 : size(call.function().arguments());
            size += call.custom() == null ? 0 : size(call.custom().input());
        }
        size += DeltaPadding.size(Objects.requireNonNullElse(delta.reasoningDetails(), List.of()));
        var logprobs = choice.logprobs() == null ? null : choice.logprobs().content();
        return size + DeltaPadding.size(Objects.requireNonNullElse(logprobs, List.of()));
    }

    private static int size(@Nullable String text) {
        return text == null ? 0 : DeltaPadding.size(text);
    }
}
