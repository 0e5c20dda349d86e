package dev.counterpoint.tlog.witness;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.Encoding;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.NoteVerdict;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TrustedKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks one witness for cosignatures. Thread-safe; the size that the witness has is remembered between calls.
///
/// Source: <https://c2sp.org/tlog-witness#add-checkpoint>
public final class WitnessClient {
    private static final int OK = 200;
    private static final int CONFLICT = 409;

    private final HttpClient http;
    private final URI address;
    private final TrustedKeys keys;
    private final Duration timeout;
    private volatile long knownSize;

    /// A client of one witness.
    ///
    /// @param http client to send with
    /// @param prefix submission prefix of the witness, with or without a slash at its end
    /// @param keys keys of the witness
    /// @param timeout how long one request may take
    public WitnessClient(HttpClient http, URI prefix, TrustedKeys keys, Duration timeout) {
        this.http = http;
        this.address = URI.create(prefix.toString().replaceFirst("/$", "") + "/add-checkpoint");
        this.keys = keys;
        this.timeout = timeout;
    }

    /// Submits a checkpoint, a second time when the witness answers that it knows another size.
    ///
    /// @param note signed checkpoint
    /// @param tree tree of this checkpoint, for the consistency proof
    /// @return what the witness answered; a conflict means that it knows a larger tree, or that others submit too
    /// @throws InterruptedException when the thread is interrupted
    public CosignOutcome cosign(SignedNote note, MerkleTree tree) throws InterruptedException {
        var size = Checkpoint.of(note).size();
        var outcome = submit(note, tree, Math.min(knownSize, size));
        if (outcome instanceof CosignOutcome.Conflict conflict && conflict.size() <= size) {
            outcome = submit(note, tree, conflict.size());
        }
        switch (outcome) {
            case CosignOutcome.Cosigned _ -> knownSize = size;
            case CosignOutcome.Conflict conflict -> knownSize = conflict.size();
            case CosignOutcome.Refused _ -> knownSize = 0;
        }
        return outcome;
    }

    private CosignOutcome submit(SignedNote note, MerkleTree tree, long oldSize) throws InterruptedException {
        var body = new AddCheckpoint(oldSize, tree.consistency(oldSize).hashes(), note).encode();
        var request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        try {
            var response = http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), SignedNote.BYTES_MAX));
            return read(response.statusCode(), response.body(), note);
        } catch (IOException e) {
            return new CosignOutcome.Refused(0, e.getClass().getSimpleName());
        } catch (InvalidLogException e) {
            return new CosignOutcome.Refused(OK, "unusable answer: " + e.getMessage());
        }
    }

    private CosignOutcome read(int status, byte[] body, SignedNote note) {
        return switch (status) {
            case OK -> cosigned(Encoding.decodeText(body), note);
            case CONFLICT ->
                new CosignOutcome.Conflict(
                        Encoding.decodeDecimal(new String(body, StandardCharsets.UTF_8).stripTrailing()));
            default -> new CosignOutcome.Refused(status, "status " + status);
        };
    }

    private CosignOutcome cosigned(String lines, SignedNote note) {
        var answer = new SignedNote(note.text(), SignedNote.signatures(lines));
        return switch (keys.verify(answer)) {
            case NoteVerdict.Untrusted untrusted -> new CosignOutcome.Refused(OK, untrusted.reason());
            case NoteVerdict.Verified verified -> {
                var timed = verified.signers().stream().allMatch(signer -> signer.time() > 0);
                yield timed
                        ? new CosignOutcome.Cosigned(verified.note().signatures())
                        : new CosignOutcome.Refused(OK, "a cosignature without a time");
            }
        };
    }
}
