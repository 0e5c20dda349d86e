package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The keys whose signatures count for a reader.
///
/// Source: <https://c2sp.org/signed-note#signatures>
///
/// @param keys trusted keys, of which no two share name and key id
public record TrustedKeys(List<VerifierKey> keys) {
    /// Checks that no two keys are confused.
    public TrustedKeys {
        keys = List.copyOf(keys);
        if (keys.stream().map(key -> key.name() + "+" + key.id()).distinct().count() != keys.size()) {
            throw new InvalidLogException("two trusted keys with the same name and id");
        }
    }

    /// Trusts these keys.
    ///
    /// @param keys trusted keys
    /// @return the set
    public static TrustedKeys of(Collection<VerifierKey> keys) {
        return new TrustedKeys(List.copyOf(keys));
    }

    /// Verifies a note: signatures of unknown keys are ignored, a wrong signature of a trusted key refuses the note,
    /// and so does the absence of any signature of a trusted key.
    ///
    /// @param note note from anywhere
    /// @return the verdict
    public NoteVerdict verify(SignedNote note) {
        var signers = new ArrayList<NoteVerdict.Signer>();
        var kept = new ArrayList<NoteSignature>();
        for (var signature : note.signatures()) {
            for (var key : keys) {
                if (!key.named(signature)) {
                    continue;
                }
                var time = key.verify(note.text(), signature);
                if (time.isEmpty()) {
                    return new NoteVerdict.Untrusted("the signature of " + key.name() + " is wrong");
                }
                signers.add(new NoteVerdict.Signer(key, time.getAsLong()));
                kept.add(signature);
            }
        }
        return signers.isEmpty()
                ? new NoteVerdict.Untrusted("no signature of a trusted key")
                : new NoteVerdict.Verified(new SignedNote(note.text(), kept), signers);
    }
}
