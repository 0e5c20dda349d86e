package dev.counterpoint.tlog.witness;

import static dev.counterpoint.tlog.InvalidLogException.require;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.Encoding;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.VerifierKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/// Asks one witness for cosignatures. Thread-safe; remembers the size that the witness has between calls.
public final class WitnessClient {
    private final HttpClient http;
    private final URI address;
    private final List<VerifierKey> keys;
    private final Duration timeout;
    private volatile long knownSize;

    /// A client of the witness with this submission prefix and these keys of cosignature types.
    public WitnessClient(HttpClient http, URI prefix, List<VerifierKey> keys, Duration timeout) {
        this.http = http;
        this.address = URI.create(prefix.toString().replaceFirst("/$", "") + "/add-checkpoint");
        this.keys = List.copyOf(keys);
        this.timeout = timeout;
    }

    /// Submits a checkpoint, a second time when the witness answers that it has another size.
    ///
    /// @param tree tree of this checkpoint, for the consistency proof
    /// @return the answer; a conflict means that the witness has a larger tree, or that others submit too
    public CosignOutcome cosign(SignedNote note, MerkleTree tree) throws InterruptedException {
        var size = Checkpoint.parse(note.text()).size();
        var outcome = submit(note, tree, Math.min(knownSize, size));
        if (outcome instanceof CosignOutcome.Conflict conflict && conflict.size() <= size) {
            outcome = submit(note, tree, conflict.size());
        }
        knownSize = switch (outcome) {
            case CosignOutcome.Cosigned _ -> size;
            case CosignOutcome.Conflict conflict -> conflict.size();
            case CosignOutcome.Refused _ -> 0;
        };
        return outcome;
    }

    private CosignOutcome submit(SignedNote note, MerkleTree tree, long oldSize) throws InterruptedException {
        var body = new AddCheckpoint(oldSize, tree.consistency(oldSize).hashes(), note).encode();
        var request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            var response = http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), SignedNote.BYTES_MAX));
            return read(response.statusCode(), response.body(), note);
        } catch (IOException e) {
            return new CosignOutcome.Refused(0, e.getClass().getSimpleName());
        }
    }

    private CosignOutcome read(int status, byte[] body, SignedNote note) {
        try {
            return switch (status) {
                case 200 -> {
                    var answer = new SignedNote(note.text(), SignedNote.signatures(Encoding.decodeText(body)));
                    var valid = List.copyOf(answer.verify(keys).values());
                    require(valid.stream().allMatch(signature -> signature.time() > 0), "a cosignature without a time");
                    yield new CosignOutcome.Cosigned(valid);
                }
                case 409 ->
                    new CosignOutcome.Conflict(
                            Encoding.decodeDecimal(Encoding.decodeText(body).strip()));
                default -> new CosignOutcome.Refused(status, "status " + status);
            };
        } catch (InvalidLogException e) {
            return new CosignOutcome.Refused(status, "unusable answer: " + e.getMessage());
        }
    }
}
