package dev.counterpoint.audit.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.ProvenRow;
import dev.counterpoint.audit.log.PublishedLog;
import dev.counterpoint.audit.records.OpenedRecord;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.StoredRecord;
import dev.counterpoint.audit.requests.RequestedAction.Export;
import dev.counterpoint.auditlog.BundleWriter;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The content of one export: rows with their proofs, and beside them what is read of records. Methods need an open
/// transaction. Not thread-safe.
final class ExportBundle {
    private static final String VERIFIER = "verify_log.py";
    private static final String README = """
        Records of an audit log of Counterpoint, as the service had them at the time of the checkpoint.

        content/*.json     what is read of each record: its state (opened, erased, altered), columns and reasoning
        records/, events/  rows of the log: the records, and what the log says about them
        leaves/            the leaf of each row and its proof
        manifest.json      SHA-256 of every other file; the log has the hash of the manifest in an event 'export'

        Check that each row is in the log, with the public key of the log and your own copy of the verifier:

            python3 verify_log.py bundle FILE.zip --key VKEY
            counterpoint audit verify bundle FILE.zip --key VKEY

        The rows hold hashes, not the reasoning: the manifest vouches for content/. Its SHA-256 is the member
        'manifest' of the event 'export' in the access log (sha256sum manifest.json).
        """;

    private final BundleWriter bundle;
    private final PublishedLog log;
    private final EventStore events;
    private final ObjectMapper json;
    private final Export export;
    private final MerkleTree tree;
    private final Set<Long> added = new HashSet<>();
    private int records;
    private int opened;

    ExportBundle(
            OutputStream out, SignedNote note, PublishedLog log, EventStore events, ObjectMapper json, Export export)
            throws IOException {
        this.log = log;
        this.events = events;
        this.json = json;
        this.export = export;
        tree = log.tree(note);
        bundle = new BundleWriter(out, note, tree);
        bundle.policy(log.policy());
        bundle.attach("README.txt", README.getBytes(UTF_8));
        try (var verifier = Objects.requireNonNull(ExportBundle.class.getResourceAsStream("/" + VERIFIER))) {
            bundle.attach(VERIFIER, verifier.readAllBytes());
        }
    }

    /// A record for readers.
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Content(
            String response,
            String state,
            @Nullable StoredRecord record,
            @Nullable List<Trace.Segment> segments) {}

    int records() {
        return records;
    }

    int opened() {
        return opened;
    }

    void add(OpenedRecord found) {
        var response = found.response();
        var content = switch (found.result()) {
            case ReadResult.Opened read -> new Content(response, "opened", read.record(), read.segments());
            case ReadResult.Erased erased -> new Content(response, "erased", erased.record(), null);
            case ReadResult.Altered _ -> new Content(response, "altered", null, null);
            case ReadResult.Absent _ -> throw new IllegalStateException("a row that was found is there");
        };
        records++;
        opened += content.segments == null ? 0 : 1;
        try {
            bundle.attach("content/" + response + ".json", json.writeValueAsBytes(content));
            if (found.row() != null) {
                prove(found.row());
            }
            var about = "response = ?1";
            for (var event : export.forSubject()
                    ? events.proven(about + " and action = 'response_closed'", response)
                    : events.proven(about, response)) {
                prove(event);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Adds a row, once. One whose personal part is gone needs the event that took it, or no verifier accepts it.
    private void prove(ProvenRow row) throws IOException {
        if (row.index() >= tree.size() || !added.add(row.index())) {
            return;
        }
        if (row.opening().lacksPersonal()) {
            var by = row.removedBy() == null ? List.<ProvenRow>of() : events.proven("id = ?1", row.removedBy());
            if (by.isEmpty() || by.getFirst().index() >= tree.size()) {
                return; // taken since the checkpoint
            }
            prove(by.getFirst());
        }
        bundle.add(row.index(), log.leaf(row.index()), row.opening());
    }

    /// @return SHA-256 of the manifest
    byte[] finish(String request) throws IOException {
        if (!export.forSubject()) {
            for (var event : events.proven("request = ?1", request)) {
                prove(event);
            }
        }
        return bundle.finish();
    }
}
