package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/// Asks one witness for cosignatures. Thread-safe; remembers the size that the witness has between calls.
public final class WitnessClient {
    private static final int OK = 200;
    private static final int CONFLICT = 409;

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
    /// @return verified cosignatures, to be added to the checkpoint
    /// @throws IOException when the witness did not cosign: it refused, it has a larger tree, or it did not answer
    /// @throws InvalidLogException when its answer cannot be used
    public List<NoteSignature> cosign(SignedNote note, MerkleTree tree) throws IOException, InterruptedException {
        var response = submit(note, tree, Math.min(knownSize, tree.size()));
        if (response.statusCode() == CONFLICT) {
            knownSize =
                    Encoding.decodeDecimal(Encoding.decodeText(response.body()).strip());
            if (knownSize > tree.size()) {
                throw new IOException("the witness has a larger tree: " + knownSize);
            }
            response = submit(note, tree, knownSize);
        }
        if (response.statusCode() != OK) {
            throw new IOException("the witness answered " + response.statusCode());
        }
        var answer = new SignedNote(note.text(), SignedNote.signatures(Encoding.decodeText(response.body())));
        var cosignatures = List.copyOf(answer.verify(keys).values());
        require(cosignatures.stream().allMatch(signature -> signature.time() > 0), "a cosignature without a time");
        knownSize = tree.size();
        return cosignatures;
    }

    private HttpResponse<byte[]> submit(SignedNote note, MerkleTree tree, long oldSize)
            throws IOException, InterruptedException {
        var body = new AddCheckpoint(oldSize, tree.consistency(oldSize).hashes(), note).encode();
        var request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), SignedNote.BYTES_MAX));
    }
}
