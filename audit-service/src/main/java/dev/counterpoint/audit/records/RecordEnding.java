package dev.counterpoint.audit.records;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;

/// The end of a response, with its cause and the side that ended the response.
public sealed interface RecordEnding {
    RecordStatus status();

    /// The ending in the words of the bus, such as `MAX_TOKENS`.
    String reason();

    /// A worker ended the response and sent its whole trace.
    record ByWorker(End.Finish finish) implements RecordEnding {
        @Override
        public RecordStatus status() {
            return switch (finish.answer()) {
                case WHOLE -> RecordStatus.COMPLETED;
                case CUT -> RecordStatus.INCOMPLETE;
                case NONE -> RecordStatus.FAILED;
            };
        }

        @Override
        public String reason() {
            return finish.name();
        }
    }

    /// The owning gateway ended the response and sent the frames of its log, so parts of the trace may be missing.
    ///
    /// @param cut whether frames at the end did not fit the bus
    /// @param unopenedFrames how many frames did not open
    record ByOwner(OwnerEnd.Reason cause, boolean cut, int unopenedFrames) implements RecordEnding {
        @Override
        public RecordStatus status() {
            return switch (cause) {
                case CANCELLED -> RecordStatus.CANCELLED;
                case EXPIRED -> RecordStatus.EXPIRED;
                case ATTEMPTS_EXHAUSTED, NOT_QUEUED, CRASHED_WORKER, LOST_WITH_BUS -> RecordStatus.FAILED;
            };
        }

        @Override
        public String reason() {
            return cause.name();
        }
    }
}
