package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.request.ToolName;
import dev.counterpoint.gateway.turn.AnswerExtra;
import dev.counterpoint.gateway.turn.DeltaPadding;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.gateway.turn.Recipient;
import dev.counterpoint.gateway.turn.TurnAssembler;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.responses.IncompleteDetails;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.PromptCacheDiagnostics;
import dev.counterpoint.openai.responses.ResponseError;
import dev.counterpoint.openai.responses.ResponseErrorCode;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.openai.responses.ToolUsage;
import dev.counterpoint.openai.responses.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Turns what the model says into the events of a response, and holds every rule of their order: created
/// and in progress first, items opened before they change and closed before the next opens, one terminal
/// event, then nothing.
///
/// No clock and no I/O: the same outputs give the same events on every replica. Not thread-safe.
final class ResponseAssembler implements TurnAssembler<StreamEvent> {
    private final TurnIds ids;
    private final ResponsePlan plan;
    private final Set<ToolName> custom;
    private final Set<ToolName> plain;
    private final Set<ToolName> async;
    private final EventSequencer events;
    private final List<OutputItem> output = new ArrayList<>();
    private final List<ModelOutput.Steered> steers = new CopyOnWriteArrayList<>();
    private @Nullable OpenItem open;
    private int message = -1;
    private final ReasoningAvailability summary;
    private final AnswerExtra extra = new AnswerExtra();
    private boolean beside;
    private @Nullable TurnEnding ending;

    ResponseAssembler(ResponseId id, ResponsePlan plan) {
        this.ids = new TurnIds(id);
        this.plan = plan;
        custom = ResponsesTools.custom(plan.echo().tools());
        plain = ResponsesTools.withGrammar(plan.echo().tools());
        async = ResponsesTools.async(plan.echo().tools());
        events = new EventSequencer(plan.padded() ? new DeltaPadding(id) : null);
        summary = new ReasoningAvailability(plan.rawReasoning(), plan.summaryDue());
    }

    /// The events before the first output.
    @Override
    public List<StreamEvent> begin() {
        var response = response();
        events.add(n -> new StreamEvent.Lifecycle.Created(n, response));
        events.add(n -> new StreamEvent.Lifecycle.InProgress(n, response));
        if (plan.compaction() != null) {
            compacted(new OutputItem.Compaction(ids.compaction(0), plan.compaction(), null, Others.NONE));
        }
        return events.take();
    }

    private void compacted(OutputItem.Compaction item) {
        events.add(n -> new StreamEvent.Item.Added(n, 0, item));
        events.add(n -> new StreamEvent.Compacting(n, ids.compaction(0), 0));
        events.add(n -> new StreamEvent.Item.Done(n, 0, item));
        output.add(item);
    }

    /// Takes the next output.
    ///
    /// @throws IllegalStateException after the end
    @Override
    public List<StreamEvent> accept(ModelOutput next) {
        if (ending != null) {
            throw new IllegalStateException("an output after the end");
        }
        switch (next) {
            case ModelOutput.Passage passage when passage.reasoning() -> reasoning(passage);
            case ModelOutput.Passage passage -> visible(passage);
            case ModelOutput.Hidden _ -> openReasoning();
            case ModelOutput.SealedReasoning(String encryptedContent) -> seal(encryptedContent);
            case ModelOutput.SummarySentence sentence -> summarize(sentence);
            case ModelOutput.SummaryEnded _ -> closeSummary();
            case ModelOutput.SummaryAbandoned _ -> {
                summary.abandoned();
                closeSummary();
            }
            case ModelOutput.Steered steered -> steers.add(steered);
            case ModelOutput.Finished finished -> end(TurnEnding.of(finished));
            case ModelOutput.Stopped stopped -> end(TurnEnding.of(stopped));
        }
        return events.take();
    }

    /// What the user said meanwhile, in order. Any thread.
    List<ModelOutput.Steered> steers() {
        return steers;
    }

    /// The ending; empty before the end.
    @Override
    public Optional<TurnEnding> ending() {
        return Optional.ofNullable(ending);
    }

    /// The response as it stands; items that are open are not in it.
    ResponseObject response() {
        var status = ending == null ? ResponseStatus.IN_PROGRESS : status(ending);
        var used = ending == null ? null : ending.used();
        var warnings = summary.warnings(ending);
        return new ResponseObject(
                ids.response(),
                ids.createdAt(),
                completedAt(),
                status,
                ending == null ? null : error(ending),
                incomplete(ending),
                output,
                used == null ? null : usage(used),
                used == null ? null : ToolUsage.NONE,
                diagnostics(used),
                null,
                null,
                plan.echo(),
                warnings == null ? null : true,
                summary.warnings(plan.notes(), ending),
                summary.tier(),
                extra.members(),
                plan.removed());
    }

    /// Where the engine took nothing from its cache although both prompts begin alike, their comparison explains
    /// nothing.
    private @Nullable PromptCacheDiagnostics diagnostics(@Nullable End used) {
        boolean missed =
                used != null && used.cachedTokens() == 0 && PromptCacheDiagnostics.HIT.equals(plan.diagnostics());
        return missed ? PromptCacheDiagnostics.UNAVAILABLE : used == null ? null : plan.diagnostics();
    }

    private static @Nullable IncompleteDetails incomplete(@Nullable TurnEnding ending) {
        if (!(ending instanceof TurnEnding.Truncated truncated)) {
            return null;
        }
        if (truncated.steered()) {
            return IncompleteDetails.STEERED;
        }
        return truncated.filtered() ? IncompleteDetails.CONTENT_FILTER : IncompleteDetails.MAX_OUTPUT_TOKENS;
    }

    /// The end says when it was, so that every replica agrees; a worker's clock that lags does not end it
    /// before it began.
    private @Nullable Long completedAt() {
        return ending instanceof TurnEnding.Complete(End end) && end.endedAtMillis() > 0
                ? Long.valueOf(Math.max(ids.createdAt(), end.endedAtMillis() / 1000))
                : null;
    }

    private void reasoning(ModelOutput.Passage passage) {
        var item = openReasoning();
        if (plan.rawReasoning()) {
            item.append(passage.message(), passage.delta(), events);
        }
    }

    private OpenReasoningItem openReasoning() {
        summary.reasoned();
        if (open instanceof OpenReasoningItem running && !running.sealed()) {
            return running;
        }
        closeOpen(ItemStatus.COMPLETED);
        var place = new OpenItem.Place(ids.reasoning(output.size()), output.size());
        var item = new OpenReasoningItem(place, plan.rawReasoning(), events);
        open = item;
        return item;
    }

    /// The item stays open until the next message shows that the reasoning was over rather than cut off.
    private void seal(String encryptedContent) {
        if (open instanceof OpenReasoningItem running) {
            running.seal(encryptedContent);
        }
    }

    private void summarize(ModelOutput.SummarySentence sentence) {
        if (open instanceof OpenReasoningItem running) {
            summary.shown(sentence.tier());
            running.summarize(sentence.opensPart(), sentence.text(), events);
        }
    }

    private void closeSummary() {
        if (open instanceof OpenReasoningItem running) {
            running.closeSummary(events);
        }
    }

    private void visible(ModelOutput.Passage passage) {
        var delta = passage.delta();
        summary.visible(delta);
        if (passage.message() != message) {
            message = passage.message();
            closeOpen(ItemStatus.COMPLETED);
            int index = output.size();
            var recipient = Recipient.of(delta.header());
            beside = recipient instanceof Recipient.Beside;
            open = switch (recipient) {
                case Recipient.User(boolean preamble) ->
                    new OpenItem.Message(new OpenItem.Place(ids.message(index), index), preamble, events);
                case Recipient.Function(String name) -> call(ToolName.parse(name), index);
                case Recipient.Beside(), Recipient.Nobody() -> null;
            };
        }
        switch (open) {
            case OpenItem.Message text -> text.append(delta, events);
            case OpenItem.Call call -> call.append(delta, events);
            case OpenItem.CustomCall call -> call.append(delta, events);
            case OpenReasoningItem _ -> {}
            case null -> {
                if (beside) {
                    extra.append(delta);
                }
            }
        }
        if (delta.closed() && !(open instanceof OpenReasoningItem)) {
            closeOpen(ItemStatus.COMPLETED);
        }
    }

    private OpenItem call(ToolName tool, int index) {
        var called = new OpenItem.Called(ids.call(message), tool, plain.contains(tool), async.contains(tool));
        return custom.contains(tool)
                ? new OpenItem.CustomCall(new OpenItem.Place(ids.customCall(index), index), called, events)
                : new OpenItem.Call(new OpenItem.Place(ids.functionCall(index), index), called, events);
    }

    private void closeOpen(ItemStatus status) {
        if (open != null) {
            output.add(open.close(status, events));
            open = null;
        }
    }

    private void end(TurnEnding how) {
        closeOpen(how instanceof TurnEnding.Complete ? ItemStatus.COMPLETED : ItemStatus.INCOMPLETE);
        ending = how;
        var response = response();
        events.add(n -> switch (how) {
            case TurnEnding.Complete _ -> new StreamEvent.Lifecycle.Completed(n, response);
            case TurnEnding.Truncated _ -> new StreamEvent.Lifecycle.Incomplete(n, response);
            // The API has no event for a cancelled response, and a stream must not end without a terminal one.
            case TurnEnding.Refused _, TurnEnding.Failed _, TurnEnding.Cancelled _ ->
                new StreamEvent.Lifecycle.Failed(n, response);
        });
    }

    private static ResponseStatus status(TurnEnding ending) {
        return switch (ending) {
            case TurnEnding.Complete _ -> ResponseStatus.COMPLETED;
            case TurnEnding.Truncated _ -> ResponseStatus.INCOMPLETE;
            case TurnEnding.Refused _, TurnEnding.Failed _ -> ResponseStatus.FAILED;
            case TurnEnding.Cancelled _ -> ResponseStatus.CANCELLED;
        };
    }

    private static @Nullable ResponseError error(TurnEnding ending) {
        return switch (ending) {
            case TurnEnding.Complete _, TurnEnding.Truncated _, TurnEnding.Cancelled _ -> null;
            case TurnEnding.Refused(End _, TurnEnding.Mistake mistake) ->
                new ResponseError(code(mistake), mistake.message());
            case TurnEnding.Failed failed ->
                ResponseError.of(
                        ResponseErrorCode.SERVER_ERROR, failed.failure().message());
        };
    }

    /// The contract has one word for requests that only a worker could see to be wrong.
    private static String code(TurnEnding.Mistake mistake) {
        return mistake == TurnEnding.Mistake.GRAMMAR_TOO_COMPLEX
                ? mistake.code()
                : ResponseErrorCode.INVALID_PROMPT.wireName();
    }

    private static Usage usage(End end) {
        return Usage.of(end.inputTokens(), end.cachedTokens(), end.outputTokens(), end.reasoningTokens());
    }
}
