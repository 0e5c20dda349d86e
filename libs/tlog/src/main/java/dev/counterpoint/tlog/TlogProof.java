package dev.counterpoint.tlog;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// A proof that stands alone: an inclusion proof and the signed checkpoint that it leads to. The content of a file
/// with the extension `.tlog-proof`.
///
/// Source: <https://c2sp.org/tlog-proof>
///
/// @param extra base64 of data for the application, which nothing authenticates
/// @param inclusion proof that leads to the checkpoint's root
/// @param checkpoint signed checkpoint
public record TlogProof(Optional<String> extra, InclusionProof inclusion, SignedNote checkpoint) {
    private static final String HEADER = "c2sp.org/tlog-proof@v1";
    private static final String EXTRA = "extra ";
    private static final String INDEX = "index ";
    private static final int HASHES_MAX = 63;

    /// Checks that the proof is about the checkpoint's tree.
    public TlogProof {
        extra.ifPresent(Encoding::decodeBase64);
        if (inclusion.size() != Checkpoint.of(checkpoint).size()) {
            throw new InvalidLogException("the proof is about a tree of another size than the checkpoint's");
        }
    }

    /// Reads a proof. Nothing is verified.
    ///
    /// @param bytes content of the file
    /// @return the proof
    /// @throws InvalidLogException for malformed content
    public static TlogProof parse(byte[] bytes) {
        var text = Encoding.decodeText(bytes);
        var blank = text.indexOf("\n\n");
        if (blank < 0) {
            throw new InvalidLogException("a proof without a checkpoint");
        }
        var lines = List.of(text.substring(0, blank).split("\n", -1));
        var hasExtra = lines.size() > 1 && lines.get(1).startsWith(EXTRA);
        var at = hasExtra ? 2 : 1;
        if (!lines.getFirst().equals(HEADER)
                || lines.size() <= at
                || !lines.get(at).startsWith(INDEX)) {
            throw new InvalidLogException("a proof starts with its header and its index");
        }
        if (lines.size() - at - 1 > HASHES_MAX) {
            throw new InvalidLogException("a proof of more than " + HASHES_MAX + " hashes");
        }
        var note = SignedNote.parse(text.substring(blank + 2).getBytes(StandardCharsets.UTF_8));
        var index = Encoding.decodeDecimal(lines.get(at).substring(INDEX.length()));
        var hashes = lines.subList(at + 1, lines.size()).stream()
                .map(MerkleHash::parse)
                .toList();
        var extra = hasExtra ? Optional.of(lines.get(1).substring(EXTRA.length())) : Optional.<String>empty();
        return new TlogProof(
                extra, new InclusionProof(index, Checkpoint.of(note).size(), hashes), note);
    }

    /// The proof with data for the application beside it.
    ///
    /// @param data opaque data
    /// @return the proof with its `extra` line
    public TlogProof withExtra(byte[] data) {
        return new TlogProof(Optional.of(Base64.getEncoder().encodeToString(data)), inclusion, checkpoint);
    }

    /// Verifies the proof as <https://c2sp.org/tlog-proof#verifying-a-tlog-proof> says.
    ///
    /// @param leaf hash of the leaf, which the caller makes from what it wants proved
    /// @param policy which logs and witnesses count
    /// @return the verdict about the checkpoint, or why the proof does not lead to it
    public NoteVerdict verify(MerkleHash leaf, LogPolicy policy) {
        if (!inclusion.proves(leaf, Checkpoint.of(checkpoint).root())) {
            return new NoteVerdict.Untrusted("the leaf is not in the tree of the checkpoint");
        }
        return policy.verify(checkpoint);
    }

    /// The content of the file.
    ///
    /// @return UTF-8 text
    public byte[] encode() {
        var text = new StringBuilder(HEADER + "\n");
        extra.ifPresent(data -> text.append(EXTRA).append(data).append('\n'));
        text.append(INDEX).append(inclusion.index()).append('\n');
        inclusion.hashes().forEach(hash -> text.append(hash.base64()).append('\n'));
        return text.append('\n').append(checkpoint).toString().getBytes(StandardCharsets.UTF_8);
    }
}
