package dev.counterpoint.tlog;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The decisions of a witness, and its memory: a file for each log with the checkpoint that it cosigned last.
///
/// @param logs keys of the logs; a key's name is its log's origin
/// @param signers keys to cosign with; their types carry a time
/// @param folder where the last checkpoints are kept; no other process may write there
/// @param clock source of the cosignatures' times
public record Witness(List<VerifierKey> logs, List<NoteSigner> signers, Path folder, InstantSource clock) {
    record Answer(int status, String body) {}

    /// Answers `add-checkpoint`, one call at a time: comparing the old size and storing the new one must be one
    /// step.
    synchronized Answer add(byte[] body) {
        AddCheckpoint request;
        Checkpoint checkpoint;
        try {
            request = AddCheckpoint.parse(body);
            checkpoint = Checkpoint.parse(request.note().text());
        } catch (InvalidLogException e) {
            return new Answer(400, e.getMessage() + "\n");
        }
        var keys = logs.stream()
                .filter(key -> key.name().equals(checkpoint.origin()))
                .toList();
        if (keys.isEmpty()) {
            return new Answer(404, "unknown origin\n");
        }
        List<NoteSignature> signatures;
        try {
            signatures = List.copyOf(request.note().verify(keys).values());
        } catch (InvalidLogException e) {
            return new Answer(403, e.getMessage() + "\n");
        }
        return judge(request, checkpoint, signatures);
    }

    /// The checkpoint that was cosigned last, with the signatures of log and witness.
    Optional<SignedNote> latest(String originHash) {
        return DurableFiles.read(folder.resolve(originHash)).map(SignedNote::parse);
    }

    private Answer judge(AddCheckpoint request, Checkpoint checkpoint, List<NoteSignature> logSignatures) {
        if (request.oldSize() > checkpoint.size()) {
            return new Answer(400, "the old size is above the new one\n");
        }
        var name = originHash(checkpoint.origin());
        var last = latest(name)
                .map(note -> Checkpoint.parse(note.text()))
                .orElse(new Checkpoint(checkpoint.origin(), 0, MerkleHash.EMPTY_TREE));
        if (request.oldSize() != last.size()) {
            return new Answer(409, last.size() + "\n");
        }
        var proof = new ConsistencyProof(last.size(), checkpoint.size(), request.hashes());
        if (!proof.proves(last.root(), checkpoint.root())) {
            return new Answer(422, "not consistent with the last checkpoint\n");
        }
        var text = request.note().text();
        var now = clock.instant();
        var cosignatures =
                signers.stream().map(signer -> signer.sign(text, now)).toList();
        var note = new SignedNote(text, logSignatures).with(cosignatures);
        DurableFiles.write(Map.of(folder.resolve(name), note.encode()));
        return new Answer(200, cosignatures.stream().map(NoteSignature::line).collect(Collectors.joining()));
    }

    /// The name under which a log's checkpoint is served.
    static String originHash(String origin) {
        return HexFormat.of().formatHex(MerkleHash.sha256().digest(origin.getBytes(StandardCharsets.UTF_8)));
    }
}
