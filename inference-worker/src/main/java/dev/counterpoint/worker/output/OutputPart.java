package dev.counterpoint.worker.output;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Lane;

public sealed interface OutputPart {
    /// More of a message.
    ///
    /// @param message ordinal of the message, from 0
    /// @param lane determines the readers
    record Body(int message, Lane lane, Delta delta) implements OutputPart {}

    /// A run of analysis is over; to be sealed for the next request of the turn.
    ///
    /// @param sampled the run as the model said it, and the header of the visible message after it
    /// @param item index of the output item that the run becomes, among those that the output becomes
    record Reasoned(int[] sampled, int item) implements OutputPart {
        /// Raw reasoning is never shown.
        @Override
        public String toString() {
            return "Reasoned[" + sampled.length + " tokens]";
        }
    }
}
