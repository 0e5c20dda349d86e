package dev.counterpoint.tlog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A text with signatures, none of which is verified: [TrustedKeys] and [LogPolicy] do that.
///
/// Source: <https://c2sp.org/signed-note#format>
///
/// @param text signed text; ends in a newline
/// @param signatures signature lines, in their order
public record SignedNote(String text, List<NoteSignature> signatures) {
    /// Bytes of the longest note that is read: 64 ML-DSA-44 signatures and some text.
    public static final int BYTES_MAX = 256 * 1024;
    /// Signatures that a note may have; the specification demands at least 16.
    public static final int SIGNATURES_MAX = 64;

    /// Checks the text and the number of signatures. A note that is about to be signed has none.
    public SignedNote {
        if (!text.endsWith("\n")) {
            throw new InvalidLogException("the text of a note ends in a newline");
        }
        Encoding.decodeText(text.getBytes(StandardCharsets.UTF_8));
        if (signatures.size() > SIGNATURES_MAX) {
            throw new InvalidLogException("more than " + SIGNATURES_MAX + " signatures");
        }
        signatures = List.copyOf(signatures);
    }

    /// Reads a note with at least one signature.
    ///
    /// @param bytes the encoded note
    /// @return the note
    /// @throws InvalidLogException when the bytes are not a note
    public static SignedNote parse(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            throw new InvalidLogException("a note of more than " + BYTES_MAX + " bytes");
        }
        var note = Encoding.decodeText(bytes);
        var blank = note.lastIndexOf("\n\n");
        if (blank < 0 || !note.endsWith("\n") || blank + 2 == note.length()) {
            throw new InvalidLogException("a note without signatures");
        }
        return new SignedNote(note.substring(0, blank + 1), signatures(note.substring(blank + 2)));
    }

    /// Reads signature lines, as a witness answers them.
    ///
    /// @param lines one or more lines, each with its newline
    /// @return the signatures
    /// @throws InvalidLogException for a malformed line
    public static List<NoteSignature> signatures(String lines) {
        if (!lines.endsWith("\n")) {
            throw new InvalidLogException("a signature line without a newline");
        }
        return Stream.of(lines.substring(0, lines.length() - 1).split("\n", -1))
                .map(NoteSignature::parse)
                .toList();
    }

    /// This note with further signatures.
    ///
    /// @param more signatures to append
    /// @return the longer note
    public SignedNote with(List<NoteSignature> more) {
        return new SignedNote(
                text,
                Stream.concat(signatures.stream(), more.stream()).distinct().toList());
    }

    /// The note as it is published.
    ///
    /// @return UTF-8 text
    public byte[] encode() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text + "\n" + signatures.stream().map(NoteSignature::line).collect(Collectors.joining());
    }
}
