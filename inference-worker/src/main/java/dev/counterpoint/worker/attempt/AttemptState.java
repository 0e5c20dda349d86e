package dev.counterpoint.worker.attempt;

/// The phase of an attempt, and the order that others gave it. The attempt's own thread moves the phase on; an
/// order may come at any time and from any thread.
sealed interface AttemptState {
    /// Orders that others give to an attempt. A later constant outranks an earlier one.
    enum Order {
        GO_ON,
        /// The response is steered: end it.
        STEER,
        /// This worker cannot go on: stop the engine and ask the owner for another attempt.
        HAND_OVER,
        /// The log continues without this attempt: stop the engine and append nothing.
        STOP;

        Order atLeast(Order other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    Order order();

    /// The same phase under the higher one of both orders.
    AttemptState told(Order newer);

    default AttemptState started(EngineRun run) {
        throw new IllegalStateException("an engine was started twice for one attempt");
    }

    default AttemptState engineEnded() {
        throw new IllegalStateException("no engine works for this attempt");
    }

    /// The prompt is being made; no engine works for the attempt yet.
    record Preparing(Order order) implements AttemptState {
        @Override
        public AttemptState told(Order newer) {
            return new Preparing(order.atLeast(newer));
        }

        @Override
        public AttemptState started(EngineRun run) {
            return new Generating(order, run);
        }
    }

    /// The engine works for the attempt.
    record Generating(Order order, EngineRun run) implements AttemptState {
        @Override
        public AttemptState told(Order newer) {
            return new Generating(order.atLeast(newer), run);
        }

        /// The next run begins.
        @Override
        public AttemptState started(EngineRun next) {
            return new Generating(order, next);
        }

        @Override
        public AttemptState engineEnded() {
            return new Ending(order);
        }
    }

    /// The engine has said its last; the end of the response is being written.
    record Ending(Order order) implements AttemptState {
        @Override
        public AttemptState told(Order newer) {
            return new Ending(order.atLeast(newer));
        }
    }
}
