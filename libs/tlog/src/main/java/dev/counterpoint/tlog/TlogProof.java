package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A proof that stands alone: an inclusion proof and the signed checkpoint that it leads to. The content of a
/// file with the extension `.tlog-proof`. `extra` is base64 of data for the application, which nothing
/// authenticates.
public record TlogProof(Optional<String> extra, InclusionProof inclusion, SignedNote note) {
    private static final int HASHES_MAX = 63;
    private static final String HEADER = "c2sp.org/tlog-proof@v1\n";
    private static final String EXTRA = "extra ";
    private static final String INDEX = "index ";

    public TlogProof {
        extra.ifPresent(Encoding::decodeBase64);
        require(inclusion.hashes().size() <= HASHES_MAX, "a proof of more than 63 hashes");
        require(
                inclusion.size() == Checkpoint.parse(note.text()).size(),
                "the proof is about a tree of another size than the checkpoint's");
    }

    /// Reads a proof. Nothing is verified.
    public static TlogProof parse(byte[] bytes) {
        var text = Encoding.decodeText(bytes);
        var blank = text.indexOf("\n\n");
        require(text.startsWith(HEADER) && blank >= HEADER.length(), "a proof starts with its header and its index");
        var lines = text.substring(HEADER.length(), blank).lines().toList();
        var extra = Optional.of(lines.getFirst()).filter(line -> line.startsWith(EXTRA));
        lines = lines.subList(extra.isPresent() ? 1 : 0, lines.size());
        require(!lines.isEmpty() && lines.getFirst().startsWith(INDEX), "a proof has the index of its leaf");
        var note = SignedNote.parse(text.substring(blank + 2).getBytes(StandardCharsets.UTF_8));
        var inclusion = new InclusionProof(
                Encoding.decodeDecimal(lines.getFirst().substring(INDEX.length())),
                Checkpoint.parse(note.text()).size(),
                MerkleHash.parseAll(lines.subList(1, lines.size())));
        return new TlogProof(extra.map(line -> line.substring(EXTRA.length())), inclusion, note);
    }

    /// The checkpoint whose tree has this leaf. Throws [InvalidLogException] when the proof does not lead to it,
    /// or the policy does not trust it.
    public Checkpoint verify(MerkleHash leaf, LogPolicy policy) {
        var checkpoint = policy.verify(note);
        require(inclusion.proves(leaf, checkpoint.root()), "the leaf is not in the tree of the checkpoint");
        return checkpoint;
    }

    /// The content of the file.
    public byte[] encode() {
        var text = new StringBuilder(HEADER);
        extra.ifPresent(data -> text.append(EXTRA).append(data).append('\n'));
        text.append(INDEX).append(inclusion.index()).append('\n');
        inclusion.hashes().forEach(hash -> text.append(hash).append('\n'));
        return text.append('\n').append(note).toString().getBytes(StandardCharsets.UTF_8);
    }
}
