package dev.counterpoint.cli;

import dev.counterpoint.auditlog.BundleWriter;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.Leaf;
import dev.counterpoint.auditlog.Opening;
import dev.counterpoint.auditlog.SortedJson;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.FolderTileStore;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileLogWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A log of the audit service as it would write it: events and records of three tenants, and of none.
final class SampleLog {
    static final String ORIGIN = "audit.example/audit";
    static final NoteSigner SIGNER = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
    static final String KEY = SIGNER.verifier().toString();

    final List<Opening> rows = new ArrayList<>();
    final List<byte[]> leaves = new ArrayList<>();
    private final String name;
    private final Map<String, Leaf.Count> counts = new HashMap<>();

    /// The event that took the personal part of a record away.
    static final int COVERING = 6;

    static final int COVERED = 3;

    /// @param name part of each row, so that logs of other names have other leaves
    SampleLog(String name, int size) {
        this.name = name;
        grow(size);
    }

    SampleLog grow(int size) {
        for (int i = leaves.size(); i < size; i++) {
            var row = row(i);
            var tenant = i % 5 == 0 ? null : "tenant_" + i % 3;
            var before = tenant == null ? Leaf.Count.NONE : counts.getOrDefault(tenant, Leaf.Count.NONE);
            var table = i % 2 == 0 ? "event" : "trace_record";
            rows.add(row);
            leaves.add(new Leaf(row.commitment(), table, tenant, before, 1_700_000_000_000L + i).encode());
            if (tenant != null) {
                counts.put(tenant, before.next(i));
            }
        }
        return this;
    }

    private Opening row(int i) {
        var members = new TreeMap<String, Object>();
        members.put("id", name + "-" + i);
        members.put("reason", "caf\u00e9 \"quoted\"\n\u001f\ud83d\ude00");
        members.put("at", 1_700_000_000_000L + i);
        members.put("imported", i % 7 == 0);
        if (i == COVERING) {
            members.put("covers", List.of((long) COVERED));
        }
        var salt = new byte[16];
        salt[0] = (byte) i;
        var content = i % 2 == 0 ? null : ("ciphertext " + i).getBytes(StandardCharsets.UTF_8);
        if (content != null) {
            members.put("content", HexFormat.of().formatHex(Commitment.to(content)));
        }
        var personal = i % 4 == 0 ? null : SortedJson.of(new TreeMap<>(Map.of("subject_token", "token-" + i)));
        if (personal != null) {
            members.put("personal", HexFormat.of().formatHex(Commitment.to(salt, personal)));
        }
        return new Opening(salt, SortedJson.of(members), personal == null ? null : salt, personal, content);
    }

    SampleLog write(Path folder) {
        var store = new FolderTileStore(folder);
        var writer = new TileLogWriter(new Checkpoint(ORIGIN, 0, MerkleHash.EMPTY_TREE), store);
        writer.append(leaves);
        store.publish(SIGNER.sign(writer.checkpoint(), Instant.EPOCH));
        return this;
    }

    private MerkleTree tree() {
        return MerkleTree.ofLeaves(leaves.stream().map(MerkleHash::ofLeaf).toList());
    }

    SignedNote note() {
        return SIGNER.sign(new Checkpoint(ORIGIN, leaves.size(), tree().root()), Instant.EPOCH);
    }

    Path bundle(Path file, List<Integer> indices) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            var bundle = new BundleWriter(out, note(), tree());
            bundle.policy("log " + KEY + "\nquorum none\n");
            for (int index : indices) {
                bundle.add(index, leaves.get(index), rows.get(index));
            }
            bundle.attach("notes.txt", "for readers".getBytes(StandardCharsets.UTF_8));
            bundle.finish();
        }
        return file;
    }
}
