package dev.counterpoint.auditlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TlogProof;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes rows of the log with their proofs into a ZIP file, which [BundleAudit] verifies. Not thread-safe.
public final class BundleWriter {
    static final String MANIFEST = "manifest.json";
    static final int VERSION = 1;
    static final String CHECKPOINT = "checkpoint";
    static final String POLICY = "policy";

    private final ZipOutputStream zip;
    private final SignedNote note;
    private final MerkleTree tree;
    private final TreeMap<String, String> hashes = new TreeMap<>();

    /// @param files SHA-256 of each other file by its name, in hexadecimal
    /// @param v version of the format
    record Manifest(SortedMap<String, String> files, int v) {}

    /// @param out stream that the caller closes
    /// @param note checkpoint of the tree
    public BundleWriter(OutputStream out, SignedNote note, MerkleTree tree) throws IOException {
        zip = new ZipOutputStream(out);
        this.note = note;
        this.tree = tree;
        attach(CHECKPOINT, note.encode());
    }

    public void policy(String policy) throws IOException {
        attach(POLICY, policy.getBytes(UTF_8));
    }

    /// Adds a row of the log.
    ///
    /// @param leaf its entry in the log
    public void add(long index, byte[] leaf, Opening row) throws IOException {
        var table = Leaf.read(leaf).orElseThrow().table();
        attach(row(table, index), row.encode());
        attach(leaf(index), leaf);
        attach(proof(index), new TlogProof(Optional.empty(), tree.inclusion(index), note).encode());
    }

    /// Adds any other file, for readers. Only the manifest vouches for it.
    public void attach(String name, byte[] content) throws IOException {
        hashes.put(name, HexFormat.of().formatHex(Commitment.to(content)));
        write(name, content);
    }

    /// Ends the bundle.
    ///
    /// @return SHA-256 of the manifest, which vouches for every file
    public byte[] finish() throws IOException {
        var manifest = SortedJson.bytes(new Manifest(hashes, VERSION));
        write(MANIFEST, manifest);
        zip.finish();
        return Commitment.to(manifest);
    }

    private void write(String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }

    static String row(String table, long index) {
        return (table.equals(RecordText.TABLE) ? "records/" : "events/") + index + ".json";
    }

    static String leaf(long index) {
        return "leaves/" + index + ".json";
    }

    static String proof(long index) {
        return "leaves/" + index + ".tlog-proof";
    }
}
