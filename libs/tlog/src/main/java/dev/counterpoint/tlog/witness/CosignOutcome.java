package dev.counterpoint.tlog.witness;

import dev.counterpoint.tlog.NoteSignature;
import java.util.List;

/// How a witness answered.
public sealed interface CosignOutcome {
    /// The witness cosigned.
    ///
    /// @param signatures verified cosignatures, to be added to the checkpoint
    record Cosigned(List<NoteSignature> signatures) implements CosignOutcome {
        /// Copies the list.
        public Cosigned {
            signatures = List.copyOf(signatures);
        }
    }

    /// The witness cosigned another size last.
    ///
    /// @param size that size
    record Conflict(long size) implements CosignOutcome {}

    /// The witness did not cosign, or its answer cannot be used.
    ///
    /// @param status HTTP status; 0 when no answer came
    /// @param reason what went wrong
    record Refused(int status, String reason) implements CosignOutcome {}
}
