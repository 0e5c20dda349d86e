package dev.counterpoint.tlog.witness;

import dev.counterpoint.tlog.NoteSignature;
import java.util.List;

/// How a witness answered.
public sealed interface CosignOutcome {
    /// Verified cosignatures, to be added to the checkpoint.
    record Cosigned(List<NoteSignature> signatures) implements CosignOutcome {}

    /// The witness cosigned a checkpoint of this size last.
    record Conflict(long size) implements CosignOutcome {}

    /// The witness did not cosign, or its answer cannot be used. The status is 0 when no answer came.
    record Refused(int status, String reason) implements CosignOutcome {}
}
