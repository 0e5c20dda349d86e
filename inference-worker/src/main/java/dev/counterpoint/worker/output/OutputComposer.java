package dev.counterpoint.worker.output;

import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.CallMender;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Turns sampled tokens into parts to publish: the message that they belong to, its lane, and the text that they
/// add. A pure function of the tokens, so a worker that replays another worker's tokens reaches the same state.
///
/// A header's tokens wait until the header is whole, because the lane depends on all of it. Output that is not
/// addressed to the user or to a declared function stays in the reasoning lane. That includes calls of undeclared
/// tools, which the end lists by name. Not thread-safe.
public final class OutputComposer {
    private static final int UNDECLARED_MAX = 8;
    /// Anything else in the place of a name may be reasoning.
    private static final Pattern SHOWN_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private final Map<Integer, String> calls = new LinkedHashMap<>();
    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private final CallMender mender;
    private final FunctionNames functions;
    private final Stops stops;
    private final Consumer<HarmonyEvent.Repair> repairs;
    private final List<OutputPart> parts = new ArrayList<>();
    private final boolean keepsReasoning;
    private final List<Thought> thoughts = new ArrayList<>();
    /// Tokens of the message that is open or begins.
    private final TokenBuffer waiting = new TokenBuffer(0);
    /// Tokens of the reasoning lane since the last visible message, or since they were sealed.
    private final TokenBuffer unsealed = new TokenBuffer(0);
    private final Set<String> undeclared = new LinkedHashSet<>();
    private boolean shown;
    private boolean reasoned;
    /// Items that gateways have made of the output so far, and whether more reasoning belongs to the last one.
    private int items;

    private boolean thinking;
    private int message = -1;
    private int tokens;
    private int reasoningTokens;
    private End.Reasoning reasoning = End.Reasoning.MISSING;
    private boolean answering;
    private boolean hasText;
    private @Nullable OpenMessage open;
    private boolean stopped;

    /// Rules that end an output before the model does.
    ///
    /// @param texts that end the answer
    /// @param firstCall whether the first call ends it
    public record Stops(List<String> texts, boolean firstCall) {
        public Stops {
            texts = List.copyOf(texts);
        }

        public static Stops at(String... texts) {
            return new Stops(List.of(texts), false);
        }
    }

    /// @param functions that were declared
    /// @param repairs receives each repaired mistake of the model
    /// @param keepsReasoning whether [#takeReasoning] will ask for the whole reasoning
    public OutputComposer(
            FunctionNames functions, Stops stops, Consumer<HarmonyEvent.Repair> repairs, boolean keepsReasoning) {
        this.keepsReasoning = keepsReasoning;
        this.functions = functions;
        mender = new CallMender(functions, this::hear);
        this.stops = stops;
        this.repairs = repairs;
    }

    /// The text of a message in the reasoning lane.
    private record Thought(int message, Delta.Header header, StringBuilder text) {}

    private static final class OpenMessage {
        final Lane lane;
        final StopSequences stops;
        final StringBuilder text = new StringBuilder();
        final List<Delta.TokenLogprob> logprobs = new ArrayList<>();
        Delta.@Nullable Header header;
        boolean call;

        @Nullable
        Thought thought;

        OpenMessage(Lane lane, Delta.Header header, List<String> stops) {
            this.lane = lane;
            this.header = header;
            this.stops = new StopSequences(stops);
        }
    }

    /// Hears the next token.
    ///
    /// @param logprob of the token, when asked for
    public void accept(int token, Delta.@Nullable TokenLogprob logprob) {
        tokens++;
        waiting.add(token);
        if (open == null || open.lane == Lane.REASONING) {
            unsealed.add(token);
        }
        int before = open == null ? 0 : open.text.length();
        parser.accept(token, mender);
        if (logprob != null && open != null && open.lane == Lane.VISIBLE && open.text.length() > before) {
            open.logprobs.add(logprob);
        }
    }

    /// The parts to publish, in order: what came of the tokens since the last time, where several of one message
    /// are one part.
    public List<OutputPart> take() {
        if (open != null) {
            publish(open, false);
        }
        var taken = List.copyOf(parts);
        parts.clear();
        return taken;
    }

    /// The model came to its end: publishes what was held back. What is still open stays open.
    public List<OutputPart> finish() {
        parser.finish(mender);
        return rest();
    }

    /// Like [#finish], for an output cut off by a limit: text without a header is no answer.
    public List<OutputPart> cutOff() {
        parser.cutOff(this::hear);
        return rest();
    }

    private List<OutputPart> rest() {
        seal();
        return take();
    }

    /// The analysis so far was sealed already; for a worker that replays.
    public void alreadySealed() {
        if (open != null) {
            publish(open, false);
        }
        reasoned = false;
        thinking = false;
        unsealed.take();
    }

    /// Hands out the whole text of each message of the reasoning lane so far, sealed or not, and keeps it no longer.
    /// Nothing unless it was to be kept.
    public List<Trace.Segment> takeReasoning() {
        var segments = new ArrayList<Trace.Segment>();
        for (var thought : thoughts) {
            segments.add(new Trace.Segment(
                    thought.message, thought.header.channel(), thought.header.recipient(), thought.text.toString()));
        }
        thoughts.clear();
        return segments;
    }

    /// True if the output is over; later tokens of the model do not count.
    public boolean stopped() {
        return stopped;
    }

    /// The functions that were called, by the ordinals of the messages that call them.
    public Map<Integer, String> calls() {
        return Collections.unmodifiableMap(calls);
    }

    /// The model continues after another prompt.
    public void goOn() {
        parser.begin(Role.ASSISTANT);
    }

    public int tokens() {
        return tokens;
    }

    /// The published tokens in the reasoning lane.
    public int reasoningTokens() {
        return reasoningTokens;
    }

    /// The kind of reasoning in the reasoning lane: the least that is true of all of it.
    public End.Reasoning reasoning() {
        return reasoning;
    }

    /// True if something visible was begun.
    public boolean answering() {
        return answering;
    }

    /// The tools that the model called and the answer may not call, as [End#undeclaredCalls] has them.
    public List<String> undeclaredCalls() {
        return List.copyOf(undeclared);
    }

    /// The finish of an output that the model ended; if it holds only undeclared calls, it was withheld.
    public End.Finish finished(End.Finish how) {
        return how == End.Finish.STOP && !undeclared.isEmpty() && !shown ? End.Finish.CONTENT_FILTER : how;
    }

    /// The finish of an output whose form allows no further token; headers alone are no output.
    public End.Finish cutByForm() {
        return hasText ? End.Finish.GRAMMAR_CUT : End.Finish.GRAMMAR_TOO_COMPLEX;
    }

    private void hear(HarmonyEvent event) {
        if (stopped) {
            return;
        }
        switch (event) {
            case HarmonyEvent.MessageStarted started -> start(started);
            case HarmonyEvent.TextDelta(String text) -> text(text);
            case HarmonyEvent.MessageEnded(HarmonyEvent.Stop stop) -> end(stop);
            case HarmonyEvent.Repaired(HarmonyEvent.Repair kind) -> repairs.accept(kind);
        }
    }

    private void start(HarmonyEvent.MessageStarted started) {
        message++;
        var channel = started.channel() == null ? Channels.ANALYSIS : started.channel();
        var function = started.recipient() == null ? null : declared(started.recipient());
        boolean toUser = started.recipient() == null && !channel.equals(Channels.ANALYSIS);
        var lane = toUser || function != null ? Lane.VISIBLE : Lane.REASONING;
        if (lane == Lane.VISIBLE) {
            seal();
            unsealed.take();
            answering = true;
        } else if (started.recipient() == null) {
            reasoned = true;
            reasoning = reasoning(started.contentType());
        } else if (started.author().role() == Role.ASSISTANT && undeclared.size() < UNDECLARED_MAX) {
            var name = ToolNamespace.withoutFunctions(started.recipient());
            undeclared.add(SHOWN_NAME.matcher(name).matches() ? name : "");
        }
        var header =
                new Delta.Header(channel, function == null ? started.recipient() : function, started.contentType());
        open = new OpenMessage(lane, header, channel.equals(Channels.FINAL) && toUser ? stops.texts : List.of());
        if (function != null) {
            open.call = true;
            calls.put(message, ToolNamespace.withoutFunctions(function));
        }
        if (lane == Lane.REASONING && keepsReasoning) {
            open.thought = new Thought(message, header, new StringBuilder());
            thoughts.add(open.thought);
        }
    }

    private End.Reasoning reasoning(@Nullable String contentType) {
        for (var worst : List.of(End.Reasoning.UNTOLD, End.Reasoning.LATE)) {
            if (reasoning == worst || worst.contentType().equals(contentType)) {
                return worst;
            }
        }
        return End.Reasoning.AFTERWARDS.contentType().equals(contentType)
                ? End.Reasoning.AFTERWARDS
                : End.Reasoning.TOLD;
    }

    /// The declared function that a recipient means, in full, or null.
    private @Nullable String declared(String recipient) {
        var name = functions.resolve(recipient);
        return name == null ? null : ToolNamespace.FUNCTION_PREFIX + name;
    }

    private void text(String text) {
        if (open == null) {
            return;
        }
        hasText |= !text.isEmpty();
        if (open.thought != null) {
            open.thought.text.append(text);
        }
        open.text.append(open.stops.accept(text));
        stopped = open.stops.found();
        if (stopped) {
            publish(open, true);
            open = null;
        }
    }

    private void end(HarmonyEvent.Stop stop) {
        if (open == null) {
            return;
        }
        open.text.append(open.stops.finish());
        // The token that closes a message implicitly begins the next one.
        int[] ids = waiting.take();
        int own = stop == HarmonyEvent.Stop.IMPLICIT ? ids.length - 1 : ids.length;
        waiting.addAll(Arrays.copyOf(ids, own));
        publish(open, stop != HarmonyEvent.Stop.END_OF_STREAM);
        stopped = open.call && stops.firstCall;
        open = null;
        waiting.addAll(Arrays.copyOfRange(ids, own, ids.length));
    }

    private void publish(OpenMessage target, boolean closed) {
        var ids = waiting.take();
        var text = target.text.toString();
        target.text.setLength(0);
        var logprobs = List.copyOf(target.logprobs);
        target.logprobs.clear();
        if (ids.length == 0 && text.isEmpty() && !closed) {
            return;
        }
        if (target.header != null) {
            count(target.lane, target.header);
        }
        if (target.lane == Lane.REASONING) {
            reasoningTokens += ids.length;
        } else {
            shown |= target.call || !text.isEmpty();
        }
        parts.add(new OutputPart.Body(message, target.lane, new Delta(target.header, ids, text, closed, logprobs)));
        target.header = null;
    }

    /// Counts items as gateways do: a run of reasoning is one, and so is each message to the user or to a function,
    /// except one beside the answer.
    private void count(Lane lane, Delta.Header header) {
        boolean reasons = lane == Lane.REASONING;
        boolean toUser = header.channel().equals(Channels.COMMENTARY)
                || header.channel().equals(Channels.FINAL) && !Delta.Header.EXTRA.equals(header.contentType());
        if (reasons ? !thinking : header.recipient() != null || toUser) {
            items++;
        }
        thinking = reasons;
    }

    private void seal() {
        if (reasoned) {
            parts.add(new OutputPart.Reasoned(unsealed.take(), items - 1));
            alreadySealed();
        }
    }
}
