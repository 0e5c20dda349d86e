package dev.counterpoint.engine.simulated;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a simulated engine behaves.
///
/// @param model id of the model it stands in for
/// @param firstTokenTime from the start of a generation to its first token
/// @param perTokenTime from one token to the next
/// @param slots generations at once
/// @param contextLength tokens of prompt and output together
/// @param faults what goes wrong, for tests
public record SimulatedOptions(
        String model, Duration firstTokenTime, Duration perTokenTime, int slots, int contextLength, Faults faults) {
    /// As large as gpt-oss's.
    public static final int CONTEXT_LENGTH = 131_072;

    public SimulatedOptions {
        if (firstTokenTime.isNegative() || perTokenTime.isNegative()) {
            throw new IllegalArgumentException("times must not be negative");
        }
    }

    /// No waiting, 128 slots, nothing goes wrong.
    public static SimulatedOptions immediate(String model) {
        return new SimulatedOptions(model, Duration.ZERO, Duration.ZERO, 128, CONTEXT_LENGTH, Faults.NONE);
    }

    public SimulatedOptions withTimes(Duration firstToken, Duration perToken) {
        return new SimulatedOptions(model, firstToken, perToken, slots, contextLength, faults);
    }

    public SimulatedOptions withSlots(int number) {
        return new SimulatedOptions(model, firstTokenTime, perTokenTime, number, contextLength, faults);
    }

    public SimulatedOptions withContextLength(int tokens) {
        return new SimulatedOptions(model, firstTokenTime, perTokenTime, slots, tokens, faults);
    }

    public SimulatedOptions withFaults(Faults those) {
        return new SimulatedOptions(model, firstTokenTime, perTokenTime, slots, contextLength, those);
    }

    /// Faults, each null for never. The first two strike every generation once its whole output, prefix included,
    /// has this many tokens.
    ///
    /// @param hangAfterTokens says nothing more until it is cancelled
    /// @param failAfterTokens stops as failed
    /// @param crashOn a prompt with this text ends the process at once, as a kill does, in its prefill
    public record Faults(
            @Nullable Integer hangAfterTokens,
            @Nullable Integer failAfterTokens,
            @Nullable String crashOn) {
        public static final Faults NONE = new Faults(null, null, null);
    }
}
