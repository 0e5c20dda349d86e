package dev.counterpoint.tlog;

import java.util.List;

/// What verifying a note found.
public sealed interface NoteVerdict {
    /// At least one trusted key signed the note, and no signature of a trusted key is wrong.
    ///
    /// @param note the note without the signatures of unknown keys
    /// @param signers keys whose signatures are valid, in the order of the signatures
    record Verified(SignedNote note, List<Signer> signers) implements NoteVerdict {
        /// Copies the list.
        public Verified {
            signers = List.copyOf(signers);
        }
    }

    /// The text must not be believed.
    ///
    /// @param reason broken rule
    record Untrusted(String reason) implements NoteVerdict {}

    /// One valid signature.
    ///
    /// @param key trusted key
    /// @param time seconds since 1970 that the signature states; 0 where its type states none
    record Signer(VerifierKey key, long time) {}
}
