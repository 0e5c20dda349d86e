package dev.counterpoint.auditlog;

import dev.counterpoint.auditlog.TamperedLogException.Kind;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.TlogProof;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Verifies a file of [BundleWriter]. The page `docs/audit-bundle.md` lists the checks in their order.
public final class BundleAudit {
    private static final int FILE_BYTES_MAX = 1 << 26;
    private static final Pattern ROW =
            Pattern.compile("(?:leaves|records|events)/(0|[1-9][0-9]{0,17})[.](?:json|tlog-proof)");

    private final ZipFile zip;
    private final TreeMap<String, ZipEntry> files = new TreeMap<>();
    /// Rows without their personal part, and those whose part an event of the bundle took away.
    private final TreeSet<Long> lacking = new TreeSet<>();

    private final Set<Long> covered = new HashSet<>();

    private BundleAudit(ZipFile zip) throws ZipException {
        this.zip = zip;
        if (!zip.stream().allMatch(entry -> files.put(entry.getName(), entry) == null)) {
            throw new TamperedLogException(Kind.INSERTED, null);
        }
        if (!files.containsKey(BundleWriter.MANIFEST)) {
            throw new ZipException("not a bundle: no " + BundleWriter.MANIFEST);
        }
    }

    /// Verifies every row, leaf and proof, and the manifest.
    ///
    /// @param receiver gets the checkpoint once its signatures are verified
    /// @return number of rows
    /// @throws TamperedLogException for a bundle that was changed
    /// @throws IOException for a file that cannot be read
    public static int verify(Path file, LogPolicy policy, Consumer<Checkpoint> receiver) throws IOException {
        try (var zip = new ZipFile(file.toFile())) {
            var bundle = new BundleAudit(zip);
            var note = bundle.needed(BundleWriter.CHECKPOINT);
            var checkpoint = LogAudit.verified(note, policy);
            receiver.accept(checkpoint);
            var indices = new TreeSet<Long>();
            bundle.files.keySet().stream()
                    .map(ROW::matcher)
                    .filter(row -> row.matches())
                    .forEach(row -> indices.add(Long.valueOf(row.group(1))));
            for (var index : indices) {
                bundle.verifyRow(index, note, checkpoint);
            }
            bundle.lacking.removeAll(bundle.covered);
            if (!bundle.lacking.isEmpty()) {
                throw new TamperedLogException(Kind.DELETED, bundle.lacking.first());
            }
            bundle.verifyManifest();
            return indices.size();
        }
    }

    private void verifyRow(long index, byte[] note, Checkpoint checkpoint) throws IOException {
        var leaf = read(BundleWriter.leaf(index));
        var proof = read(BundleWriter.proof(index));
        var record = read(BundleWriter.row(RecordText.TABLE, index));
        var event = read(BundleWriter.row("", index));
        if (leaf == null || proof == null) {
            throw new TamperedLogException(leaf == proof ? Kind.INSERTED : Kind.DELETED, index);
        }
        if ((record == null) == (event == null)) {
            throw new TamperedLogException(record == null ? Kind.DELETED : Kind.INSERTED, index);
        }
        try {
            var read = TlogProof.parse(proof);
            if (!Arrays.equals(read.note().encode(), note)) {
                throw new TamperedLogException(Kind.EDITED, index);
            }
            if (read.inclusion().index() != index) {
                throw new TamperedLogException(Kind.REORDERED, index);
            }
            if (!read.inclusion().proves(MerkleHash.ofLeaf(leaf), checkpoint.root())) {
                throw new TamperedLogException(Kind.EDITED, index);
            }
        } catch (InvalidLogException e) {
            throw new TamperedLogException(Kind.EDITED, index);
        }
        var entry = Leaf.read(leaf).orElseThrow(() -> new TamperedLogException(Kind.FORGED, index));
        var row = entry.table().equals(RecordText.TABLE) ? record : event;
        var opening = row == null ? Optional.<Opening>empty() : Opening.read(row);
        if (opening.filter(open -> open.opens(entry.commitment())).isEmpty()) {
            throw new TamperedLogException(Kind.EDITED, index);
        }
        if (opening.get().lacksPersonal()) {
            lacking.add(index);
        }
        if (row == event) {
            covered.addAll(opening.get().covers());
        }
    }

    private void verifyManifest() throws IOException {
        var manifest = SortedJson.exactly(needed(BundleWriter.MANIFEST), BundleWriter.Manifest.class)
                .filter(read -> read.v() == BundleWriter.VERSION)
                .orElseThrow(() -> new TamperedLogException(Kind.EDITED, null));
        var listed = manifest.files().keySet();
        files.remove(BundleWriter.MANIFEST);
        if (!listed.equals(files.keySet())) {
            throw new TamperedLogException(files.keySet().containsAll(listed) ? Kind.INSERTED : Kind.DELETED, null);
        }
        for (var name : listed) {
            if (!HexFormat.of()
                    .formatHex(Commitment.to(needed(name)))
                    .equals(manifest.files().get(name))) {
                throw new TamperedLogException(Kind.EDITED, null);
            }
        }
    }

    private byte[] needed(String name) throws IOException {
        var content = read(name);
        if (content == null) {
            throw new TamperedLogException(Kind.DELETED, null);
        }
        return content;
    }

    private byte @Nullable [] read(String name) throws IOException {
        var entry = files.get(name);
        if (entry == null) {
            return null;
        }
        try (var stream = zip.getInputStream(entry)) {
            var content = stream.readNBytes(FILE_BYTES_MAX);
            var sum = new CRC32();
            sum.update(content);
            if (sum.getValue() != entry.getCrc()) {
                throw new ZipException("a file of the bundle is damaged");
            }
            return content;
        }
    }
}
