package dev.counterpoint.tlog.witness;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.DurableFile;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.NoteVerdict;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TrustedKeys;
import dev.counterpoint.tlog.VerifierKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The decisions of a witness, and its memory: one file for each log with the checkpoint that it cosigned last.
///
/// Source: <https://c2sp.org/tlog-witness>
public final class Witness {
    private final List<VerifierKey> logs;
    private final List<NoteSigner> signers;
    private final Path folder;
    private final InstantSource clock;

    /// A witness of some logs.
    ///
    /// @param logs keys of the logs; a key's name is its log's origin
    /// @param signers keys to cosign with; their types carry a time
    /// @param folder where the last checkpoints are kept; no other process may write there
    /// @param clock source of the cosignatures' times
    public Witness(List<VerifierKey> logs, List<NoteSigner> signers, Path folder, InstantSource clock) {
        this.logs = List.copyOf(logs);
        this.signers = List.copyOf(signers);
        this.folder = folder;
        this.clock = clock;
    }

    /// Answers `add-checkpoint`. One request at a time: the old size is compared and the new checkpoint is stored in
    /// one step, as the specification demands.
    synchronized WitnessAnswer add(byte[] body) {
        AddCheckpoint request;
        Checkpoint checkpoint;
        try {
            request = AddCheckpoint.parse(body);
            checkpoint = request.checkpoint();
        } catch (InvalidLogException e) {
            return WitnessAnswer.refused(WitnessAnswer.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        var keys = logs.stream()
                .filter(key -> key.name().equals(checkpoint.origin()))
                .toList();
        if (keys.isEmpty()) {
            return WitnessAnswer.refused(WitnessAnswer.NOT_FOUND, "unknown origin");
        }
        return switch (TrustedKeys.of(keys).verify(request.note())) {
            case NoteVerdict.Untrusted untrusted -> WitnessAnswer.refused(WitnessAnswer.FORBIDDEN, untrusted.reason());
            case NoteVerdict.Verified verified -> judge(request, checkpoint, verified.note());
        };
    }

    /// Answers `<origin hash>/checkpoint`: the checkpoint that was cosigned last, with log's and witness's
    /// signatures.
    Optional<byte[]> latest(String originHash) {
        try {
            return Optional.of(Files.readAllBytes(folder.resolve(originHash)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private WitnessAnswer judge(AddCheckpoint request, Checkpoint checkpoint, SignedNote note) {
        if (request.oldSize() > checkpoint.size()) {
            return WitnessAnswer.refused(WitnessAnswer.BAD_REQUEST, "the old size is above the new one");
        }
        var last = latest(originHash(checkpoint.origin())).map(bytes -> Checkpoint.of(SignedNote.parse(bytes)));
        var lastSize = last.map(Checkpoint::size).orElse(0L);
        if (request.oldSize() != lastSize) {
            return WitnessAnswer.conflict(lastSize);
        }
        var lastRoot = last.map(Checkpoint::root).orElse(MerkleHash.EMPTY_TREE);
        if (!request.proof().proves(lastRoot, checkpoint.root())) {
            return WitnessAnswer.refused(WitnessAnswer.UNPROCESSABLE, "not consistent with the last checkpoint");
        }
        return cosign(checkpoint, note);
    }

    private WitnessAnswer cosign(Checkpoint checkpoint, SignedNote note) {
        var now = clock.instant();
        var cosignatures =
                signers.stream().map(signer -> signer.sign(note.text(), now)).toList();
        try {
            DurableFile.write(
                    folder.resolve(originHash(checkpoint.origin())),
                    note.with(cosignatures).encode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return WitnessAnswer.ok(
                cosignatures.stream().map(signature -> signature.line()).collect(Collectors.joining()));
    }

    /// The name under which a log's checkpoint is served.
    static String originHash(String origin) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(origin.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
