package dev.counterpoint.worker.output;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Lane;
import java.util.List;

/// One thing to publish.
public sealed interface OutputPart {
    /// More of a message.
    ///
    /// @param message ordinal of the message, from 0
    /// @param lane who may read it
    record Body(int message, Lane lane, Delta delta) implements OutputPart {}

    /// A run of analysis is over; to be sealed for the next turn.
    ///
    /// @param analysis text of each message of the run
    record Reasoned(List<String> analysis, int tokens) implements OutputPart {
        /// Raw reasoning is never shown.
        @Override
        public String toString() {
            return "Reasoned[" + tokens + " tokens]";
        }
    }
}
