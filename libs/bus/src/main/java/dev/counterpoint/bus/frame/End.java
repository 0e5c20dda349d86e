package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.Locale;

/// Body of an `END`, sealed in the visible lane: how the model finished, and what it used.
///
/// @param finish why it stopped
/// @param inputTokens of the rendered prompt
/// @param cachedTokens of these, found in a cache
/// @param outputTokens of the whole answer, over all attempts, control tokens included
/// @param reasoningTokens of these, in the reasoning lane
/// @param endedAtMillis milliseconds since 1970 by the worker's clock; 0 in frames that do not say
/// @param reasoning whether what stands in the reasoning lane is the model's reasoning
public record End(
        Finish finish,
        int inputTokens,
        int cachedTokens,
        int outputTokens,
        int reasoningTokens,
        long endedAtMillis,
        Reasoning reasoning) {
    /// Of a model whose reasoning is told apart by itself.
    public End(
            Finish finish,
            int inputTokens,
            int cachedTokens,
            int outputTokens,
            int reasoningTokens,
            long endedAtMillis) {
        this(finish, inputTokens, cachedTokens, outputTokens, reasoningTokens, endedAtMillis, Reasoning.TOLD);
    }

    /// What the reasoning lane holds. Harmony tells reasoning from answer by itself; of other models it
    /// has to be extracted. Numbers are on the wire and never change.
    public enum Reasoning {
        /// What the model thought, if it thought.
        TOLD(0),
        /// No thoughts: what the model said after its answer when it was asked for the reasons.
        AFTERWARDS(1),
        /// Nothing: the model was to show its reasoning and showed none.
        MISSING(2),
        /// What could not be told from an answer, so that none of it was shown as one.
        UNTOLD(3);

        private final int number;

        Reasoning(int number) {
            this.number = number;
        }

        /// The content type of an analysis message that is this rather than thoughts.
        public String contentType() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Reasoning of(int number) {
            for (var reasoning : values()) {
                if (reasoning.number == number) {
                    return reasoning;
                }
            }
            return TOLD;
        }
    }

    /// Numbers are on the wire and never change.
    public enum Finish {
        /// The model ended its answer or called a tool.
        STOP(1),
        /// The limit of the request was reached.
        MAX_TOKENS(2),
        /// The model's context is full.
        CONTEXT_FULL(3),
        /// A stop sequence of the request was produced.
        STOP_SEQUENCE(4),
        /// The engine failed in a way that another attempt would repeat.
        FAILED(5),
        /// The prompt does not fit the model's context: a mistake of the request.
        PROMPT_TOO_LONG(6),
        /// The job cannot be read or rendered: a mistake of the request that the gateway could not see.
        INVALID_PROMPT(7),
        /// Sealed reasoning of an earlier turn cannot be opened here.
        INVALID_REASONING(8);

        private final int number;

        Finish(int number) {
            this.number = number;
        }

        static Finish of(int number) {
            for (var finish : values()) {
                if (finish.number == number) {
                    return finish;
                }
            }
            return FAILED;
        }
    }

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, finish.number)
                .number(2, inputTokens)
                .number(3, cachedTokens)
                .number(4, outputTokens)
                .number(5, reasoningTokens)
                .number(6, endedAtMillis)
                .number(7, reasoning.number)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static End decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var finish = Finish.FAILED;
        int input = 0;
        int cached = 0;
        int output = 0;
        int reasoning = 0;
        long endedAt = 0;
        var told = Reasoning.TOLD;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> finish = Finish.of(in.small());
                case 2 -> input = in.small();
                case 3 -> cached = in.small();
                case 4 -> output = in.small();
                case 5 -> reasoning = in.small();
                case 6 -> endedAt = in.number();
                case 7 -> told = Reasoning.of(in.small());
                default -> in.skip();
            }
        }
        return new End(finish, input, cached, output, reasoning, endedAt, told);
    }
}
