package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.request.CustomInput;
import dev.counterpoint.gateway.turn.AnswerExtra;
import dev.counterpoint.gateway.turn.Logprobs;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.gateway.turn.Recipient;
import dev.counterpoint.gateway.turn.TurnAssembler;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.Logprob;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatUsage;
import dev.counterpoint.openai.chat.FinishReason;
import dev.counterpoint.openai.chat.ReasoningDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns the model's outputs into chunks in the required order: the role first, a call's name before its arguments, one
/// finish reason, then the usage. The sum of the chunks is the completion.
///
/// No clock and no I/O: the same outputs give the same chunks on every replica. Not thread-safe.
final class ChatAssembler implements TurnAssembler<ChatChunk> {
    /// Stands between two messages of the model, which become one here.
    private static final String BETWEEN_MESSAGES = "\n\n";

    private final TurnIds ids;
    private final ChatPlan plan;
    private final ChatAnswer answer = new ChatAnswer();
    private final ChatChunks form;
    private final ChatReasoningText thoughts;
    private final ReasoningAvailability summary;
    private final AnswerExtra extra = new AnswerExtra();
    private final List<ChatChunk> chunks = new ArrayList<>();
    private final List<Logprob> waiting = new ArrayList<>();
    private Recipient addressee = new Recipient.Nobody();
    private int message = -1;
    private int call = -1;
    /// Extracts the text of the open call from its arguments, if it calls a custom tool.
    private @Nullable CustomInput input;
    private boolean separate;
    private boolean opensThought;
    private @Nullable TurnEnding ending;

    ChatAssembler(ResponseId id, ChatPlan plan) {
        this.ids = new TurnIds(id);
        this.plan = plan;
        form = new ChatChunks(id, plan);
        thoughts = new ChatReasoningText(plan.rawReasoning());
        summary = new ReasoningAvailability(plan.rawReasoning(), plan.summaryDue());
    }

    /// The chunk before the first output.
    @Override
    public List<ChatChunk> begin() {
        return List.of(form.of(ChatChunk.Delta.ofRole("assistant")));
    }

    /// Takes the next output. A response that failed or was cancelled has no last chunk.
    ///
    /// @throws IllegalStateException after the end
    @Override
    public List<ChatChunk> accept(ModelOutput next) {
        if (ending != null) {
            throw new IllegalStateException("an output after the end");
        }
        chunks.clear();
        switch (next) {
            case ModelOutput.Passage passage when passage.reasoning() -> reasoning(passage);
            case ModelOutput.Passage passage -> visible(passage);
            case ModelOutput.Hidden _ -> summary.reasoned();
            case ModelOutput.SealedReasoning(String encryptedContent) -> thoughts.seal(encryptedContent);
            case ModelOutput.SummarySentence sentence -> {
                summary.shown(sentence.tier());
                think(sentence.opensPart(), sentence.text());
            }
            case ModelOutput.SummaryEnded _, ModelOutput.Steered _ -> {}
            case ModelOutput.SummaryAbandoned _ -> summary.abandoned();
            case ModelOutput.Finished finished -> end(TurnEnding.of(finished));
            case ModelOutput.Stopped stopped -> end(TurnEnding.of(stopped));
        }
        return List.copyOf(chunks);
    }

    /// The ending; empty before the end.
    @Override
    public Optional<TurnEnding> ending() {
        return Optional.ofNullable(ending);
    }

    /// The last chunk of a stream that tells what it took.
    ChatChunk usage(@Nullable ChatUsage usage) {
        return form.usage(usage);
    }

    /// The analysis as workers sealed it, run by run.
    List<String> sealed() {
        return thoughts.sealed();
    }

    /// Ids of the calls so far.
    List<String> callIds() {
        return answer.callIds();
    }

    /// True if the turn has been answered, so that no call of it is open any more.
    boolean answered() {
        return ending != null
                && ending.answered()
                && answer.hasContent()
                && answer.callIds().isEmpty();
    }

    /// The whole answer.
    ///
    /// @throws IllegalStateException unless it ended with an answer
    ChatCompletion completion() {
        if (ending == null) {
            throw new IllegalStateException("not ended");
        }
        var calls = answer.calls();
        var warnings = summary.warnings(ending);
        boolean apart = plan.summaryApart();
        var told = thoughts.textOrNull();
        var message = new ChatCompletion.Message(
                answer.contentOrNull(),
                null,
                calls.isEmpty() ? null : calls,
                null,
                null,
                null,
                apart ? null : told,
                apart ? told : null,
                details(plan.convention() ? thoughts.details() : List.of()),
                warnings == null ? null : true,
                summary.warnings(plan.notes(), ending),
                summary.tier(),
                extra.members());
        var choice = new ChatCompletion.Choice(plan.index(), message, finish(ending), form.logprobs(answer.logprobs()));
        return new ChatCompletion(
                form.id(),
                form.created(),
                plan.model(),
                List.of(choice),
                usage(ending),
                plan.serviceTier(),
                null,
                null,
                plan.metadata());
    }

    private void reasoning(ModelOutput.Passage passage) {
        summary.reasoned();
        var delta = passage.delta();
        if (passage.message() != message) {
            message = passage.message();
            addressee = Recipient.ofReasoning(delta.header());
            opensThought = true;
        }
        if (!plan.rawReasoning()
                || addressee instanceof Recipient.Nobody
                || delta.text().isEmpty()) {
            return;
        }
        think(opensThought, delta.text());
        opensThought = false;
    }

    /// Raw or summed up, in the form that was asked for.
    private void think(boolean opensPart, String text) {
        var whole = opensPart && !thoughts.isEmpty() ? BETWEEN_MESSAGES + text : text;
        var detail = thoughts.append(opensPart, whole);
        boolean apart = plan.summaryApart();
        var delta = new ChatChunk.Delta(
                null,
                null,
                null,
                null,
                null,
                apart ? null : whole,
                apart ? whole : null,
                plan.convention() ? List.of(detail) : null,
                null,
                null,
                null,
                null);
        chunks.add(form.of(delta));
    }

    private void visible(ModelOutput.Passage passage) {
        var delta = passage.delta();
        summary.visible(delta);
        if (passage.message() != message) {
            message = passage.message();
            addressee = Recipient.of(delta.header());
            separate = answer.hasContent();
            closeInput();
            if (addressee instanceof Recipient.Function(String name)) {
                open(name);
            }
        }
        switch (addressee) {
            case Recipient.User _ -> content(delta);
            case Recipient.Function _ -> arguments(input == null ? delta.text() : input.accept(delta.text()));
            case Recipient.Beside _ -> extra.append(delta);
            case Recipient.Nobody _ -> {}
        }
        if (delta.closed()) {
            closeInput();
        }
    }

    private void closeInput() {
        if (input != null) {
            arguments(input.finish());
            input = null;
        }
    }

    private void content(Delta delta) {
        waiting.addAll(Logprobs.of(delta));
        if (delta.text().isEmpty()) {
            return; // half a character: its probabilities go with the other half
        }
        var fresh = List.copyOf(waiting);
        waiting.clear();
        var text = separated(delta.text());
        answer.content(text, fresh);
        chunks.add(form.of(ChatChunk.Delta.ofContent(text), fresh, null));
    }

    private void open(String name) {
        var id = ids.call(message);
        boolean custom = plan.isCustom(name);
        call = answer.call(id, name, custom);
        input = custom ? new CustomInput(plan.isPlain(name)) : null;
        add(
                custom
                        ? ChatChunk.ToolCallDelta.opens(call, id, new ChatChunk.CustomDelta(name, ""))
                        : ChatChunk.ToolCallDelta.opens(call, id, new ChatChunk.FunctionDelta(name, "")));
    }

    private void arguments(String text) {
        if (!text.isEmpty()) {
            answer.arguments(text);
            add(
                    input == null
                            ? ChatChunk.ToolCallDelta.more(call, new ChatChunk.FunctionDelta(null, text))
                            : ChatChunk.ToolCallDelta.more(call, new ChatChunk.CustomDelta(null, text)));
        }
    }

    private void add(ChatChunk.ToolCallDelta call) {
        chunks.add(form.of(ChatChunk.Delta.ofToolCall(call)));
    }

    private String separated(String text) {
        var whole = separate ? BETWEEN_MESSAGES + text : text;
        separate = false;
        return whole;
    }

    private void end(TurnEnding how) {
        closeInput();
        ending = how;
        switch (how) {
            case TurnEnding.Complete _, TurnEnding.Truncated _ -> {
                chunks.add(form.of(lastDelta(), null, finish(how)));
                if (plan.usageInStream() && plan.choice() == null) {
                    chunks.add(form.usage(usage(how)));
                }
            }
            case TurnEnding.Refused _, TurnEnding.Failed _, TurnEnding.Cancelled _ -> {}
        }
    }

    private ChatChunk.Delta lastDelta() {
        var warnings = summary.warnings(ending);
        return new ChatChunk.Delta(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                details(List.of()),
                warnings == null ? null : true,
                summary.warnings(plan.notes(), ending),
                summary.tier(),
                extra.members());
    }

    /// @param told before the sealed forms
    private @Nullable List<ReasoningDetail> details(List<ReasoningDetail> told) {
        if (!plan.reasoningShown()) {
            return null;
        }
        var details = new ArrayList<>(told);
        details.addAll(thoughts.sealedDetails());
        return details.isEmpty() ? null : details;
    }

    private FinishReason finish(TurnEnding how) {
        if (how instanceof TurnEnding.Truncated truncated) {
            return truncated.filtered() ? FinishReason.CONTENT_FILTER : FinishReason.LENGTH;
        }
        return answer.callIds().isEmpty() ? FinishReason.STOP : FinishReason.TOOL_CALLS;
    }

    private static @Nullable ChatUsage usage(TurnEnding how) {
        End end = how.used();
        return end == null
                ? null
                : ChatUsage.of(end.inputTokens(), end.cachedTokens(), end.outputTokens(), end.reasoningTokens());
    }
}
