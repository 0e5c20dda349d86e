package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;
import java.util.List;
import java.util.Locale;

/// Body of an `END`, sealed in the visible lane: how the model finished, and what it used.
///
/// @param finish why it stopped
/// @param inputTokens of the rendered prompt
/// @param cachedTokens of these, found in a cache
/// @param outputTokens of the whole answer, over all attempts, control tokens included
/// @param reasoningTokens of these, in the reasoning lane
/// @param endedAtMillis milliseconds since 1970 by the worker's clock; 0 in frames that do not say
/// @param reasoning says what the reasoning lane holds
/// @param undeclaredCalls names of tools that the model called and the request does not offer; empty for a name that
///     cannot be shown
public record End(
        Finish finish,
        int inputTokens,
        int cachedTokens,
        int outputTokens,
        int reasoningTokens,
        long endedAtMillis,
        Reasoning reasoning,
        List<String> undeclaredCalls) {
    public End {
        undeclaredCalls = List.copyOf(undeclaredCalls);
    }

    /// An end with [Reasoning#TOLD] and without undeclared calls.
    public End(
            Finish finish,
            int inputTokens,
            int cachedTokens,
            int outputTokens,
            int reasoningTokens,
            long endedAtMillis) {
        this(
                finish,
                inputTokens,
                cachedTokens,
                outputTokens,
                reasoningTokens,
                endedAtMillis,
                Reasoning.TOLD,
                List.of());
    }

    /// The content of the reasoning lane. Harmony tells reasoning from answer by itself; with other models
    /// a worker has to extract it. Positions are on the wire and never change.
    public enum Reasoning implements Numbered {
        /// The model's thoughts, if there were any.
        TOLD,
        /// No thoughts, but the reasons that the model gave after its answer, when it was asked for them.
        AFTERWARDS,
        /// Nothing: the model was to show its reasoning and showed none.
        MISSING,
        /// Text that may be reasoning or answer. It could not be told, so none of it was shown as an
        /// answer.
        UNTOLD,
        /// Thoughts that a server began to tell when some of the answer had been shown already: that may have been
        /// reasoning, too.
        LATE;

        /// The content type of an analysis message that holds this instead of thoughts.
        public String contentType() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Positions are on the wire and never change.
    public enum Finish implements Numbered {
        /// The model ended its answer or called a tool.
        STOP,
        /// The limit of the request was reached.
        MAX_TOKENS,
        /// The model's context is full.
        CONTEXT_FULL,
        /// A stop sequence of the request was produced.
        STOP_SEQUENCE,
        /// The engine failed in a way that another attempt would repeat.
        FAILED,
        /// The prompt does not fit the model's context: a mistake of the request.
        PROMPT_TOO_LONG,
        /// The job cannot be read or rendered: a mistake of the request that the gateway could not see.
        INVALID_PROMPT,
        /// Sealed reasoning of an earlier turn cannot be opened here.
        INVALID_REASONING,
        /// The output left the form that the request demands strictly: the engine does not hold it.
        NOT_ENFORCED,
        /// The engine's server refuses the request.
        UPSTREAM_REFUSED,
        /// The engine's servers have too much to do.
        UPSTREAM_BUSY,
        /// The engine's server withheld the rest of the answer.
        CONTENT_FILTER,
        /// The form that the request demands is too complex, or leads nowhere, and nothing was said: a mistake of the
        /// request.
        GRAMMAR_TOO_COMPLEX,
        /// As [#GRAMMAR_TOO_COMPLEX], when some of the answer or of its reasoning was said.
        GRAMMAR_CUT,
        /// The engine's server refuses to serve this deployment: the key, the path or the model is wrong.
        UPSTREAM_MISCONFIGURED,
        /// The user said something meanwhile: the log holds a [FrameKind#STEER].
        STEERED;

        @Override
        public int number() {
            return ordinal() + 1;
        }

        public Answer answer() {
            return switch (this) {
                case STOP, STOP_SEQUENCE -> Answer.WHOLE;
                case MAX_TOKENS, CONTEXT_FULL, CONTENT_FILTER, GRAMMAR_CUT, STEERED -> Answer.CUT;
                case FAILED,
                        PROMPT_TOO_LONG,
                        INVALID_PROMPT,
                        INVALID_REASONING,
                        NOT_ENFORCED,
                        UPSTREAM_REFUSED,
                        UPSTREAM_BUSY,
                        UPSTREAM_MISCONFIGURED,
                        GRAMMAR_TOO_COMPLEX -> Answer.NONE;
            };
        }
    }

    /// What there is of an answer when the model has finished.
    public enum Answer {
        WHOLE,
        /// A limit, a filter or its form ended it.
        CUT,
        NONE
    }

    public byte[] encode() {
        return BusProto.End.newBuilder()
                .setFinish(finish.number())
                .setInputTokens(inputTokens)
                .setCachedTokens(cachedTokens)
                .setOutputTokens(outputTokens)
                .setReasoningTokens(reasoningTokens)
                .setEndedAtMillis(endedAtMillis)
                .setReasoning(reasoning.number())
                .addAllUndeclaredCalls(undeclaredCalls)
                .build()
                .toByteArray();
    }

    public static End decode(byte[] bytes) {
        var in = Wire.parse(BusProto.End.parser(), bytes);
        return new End(
                Wire.constant(in.getFinish(), Finish.values(), Finish.FAILED),
                Wire.small(in.getInputTokens()),
                Wire.small(in.getCachedTokens()),
                Wire.small(in.getOutputTokens()),
                Wire.small(in.getReasoningTokens()),
                in.getEndedAtMillis(),
                Wire.constant(in.getReasoning(), Reasoning.values(), Reasoning.TOLD),
                in.getUndeclaredCallsList());
    }
}
