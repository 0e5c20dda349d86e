package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A text with signatures, none of which is verified before [#verify].
public record SignedNote(String text, List<NoteSignature> signatures) {
    /// Bytes of the longest note that is read: 64 ML-DSA-44 signatures and some text.
    public static final int BYTES_MAX = 256 * 1024;

    private static final int SIGNATURES_MAX = 64;

    public SignedNote {
        signatures = List.copyOf(signatures);
        Encoding.decodeText(text.getBytes(StandardCharsets.UTF_8));
        require(text.endsWith("\n"), "the text of a note ends in a newline");
        require(signatures.size() <= SIGNATURES_MAX, "more than 64 signatures");
    }

    /// Reads a note with at least one signature.
    public static SignedNote parse(byte[] bytes) {
        require(bytes.length <= BYTES_MAX, "a note of more than 256 KiB");
        var note = Encoding.decodeText(bytes);
        var blank = note.lastIndexOf("\n\n");
        require(blank >= 0, "a note without signatures");
        return new SignedNote(note.substring(0, blank + 1), signatures(note.substring(blank + 2)));
    }

    /// Reads signature lines, each with its newline, as a witness answers them.
    static List<NoteSignature> signatures(String lines) {
        require(lines.endsWith("\n"), "a signature line without a newline");
        return lines.lines().map(NoteSignature::parse).toList();
    }

    /// The signatures of trusted keys, by key. Signatures of unknown keys are ignored. Throws
    /// [InvalidLogException] when a signature of a trusted key is wrong, or there is none.
    public Map<VerifierKey, NoteSignature> verify(Collection<VerifierKey> trusted) {
        var valid = new LinkedHashMap<VerifierKey, NoteSignature>();
        for (var signature : signatures) {
            for (var key : trusted) {
                if (signature.names(key)) {
                    require(key.verify(text, signature), "a signature of a trusted key is wrong");
                    valid.put(key, signature);
                }
            }
        }
        require(!valid.isEmpty(), "no signature of a trusted key");
        return valid;
    }

    /// This note with further signatures.
    public SignedNote with(List<NoteSignature> more) {
        return new SignedNote(
                text,
                Stream.concat(signatures.stream(), more.stream()).distinct().toList());
    }

    public byte[] encode() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text + "\n" + signatures.stream().map(NoteSignature::line).collect(Collectors.joining());
    }
}
