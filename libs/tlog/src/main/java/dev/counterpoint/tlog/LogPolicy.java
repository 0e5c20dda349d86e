package dev.counterpoint.tlog;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which checkpoints count: those that a known log signed and enough witnesses cosigned.
///
/// Source: <https://c2sp.org/tlog-policy>
///
/// @param logs keys of the logs; a key's name is its log's origin
/// @param witnesses keys of the witnesses, with their URLs
/// @param quorum whether the witnesses with these keys are enough
public record LogPolicy(List<VerifierKey> logs, List<WitnessLine> witnesses, Predicate<Set<VerifierKey>> quorum) {
    /// Copies the lists.
    public LogPolicy {
        logs = List.copyOf(logs);
        witnesses = List.copyOf(witnesses);
    }

    /// A witness of a policy.
    ///
    /// @param key verifier key of a cosignature type
    /// @param url submission prefix of the witness, empty when the policy names none
    public record WitnessLine(VerifierKey key, String url) {}

    /// A policy that asks for no witness.
    ///
    /// @param logs keys of the logs
    /// @return the policy
    public static LogPolicy ofLogs(VerifierKey... logs) {
        return new LogPolicy(List.of(logs), List.of(), _ -> true);
    }

    /// Reads a policy file.
    ///
    /// @param file content of the file
    /// @return the policy
    /// @throws InvalidLogException for a line that breaks a rule, with its number
    public static LogPolicy parse(String file) {
        return new PolicyReader().read(file);
    }

    /// Verifies a checkpoint.
    ///
    /// @param note note from anywhere
    /// @return the verdict; verified only when a log of this policy and a quorum of its witnesses signed the note
    public NoteVerdict verify(SignedNote note) {
        var keys =
                TrustedKeys.of(Stream.concat(logs.stream(), witnesses.stream().map(WitnessLine::key))
                        .toList());
        return switch (keys.verify(note)) {
            case NoteVerdict.Untrusted untrusted -> untrusted;
            case NoteVerdict.Verified verified -> judge(verified);
        };
    }

    private NoteVerdict judge(NoteVerdict.Verified verified) {
        String origin;
        try {
            origin = Checkpoint.of(verified.note()).origin();
        } catch (InvalidLogException e) {
            return new NoteVerdict.Untrusted("not a checkpoint");
        }
        var signers = verified.signers().stream().map(NoteVerdict.Signer::key).collect(Collectors.toSet());
        if (logs.stream().noneMatch(log -> log.name().equals(origin) && signers.contains(log))) {
            return new NoteVerdict.Untrusted("no key of the log signed the checkpoint");
        }
        return quorum.test(signers) ? verified : new NoteVerdict.Untrusted("too few witnesses cosigned");
    }
}
