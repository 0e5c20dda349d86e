package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/// One signature line of a note: `— <key name> base64(key id || signature)`.
///
/// Source: <https://c2sp.org/signed-note#signatures>
///
/// @param name name of the key
/// @param payload key id (4 bytes, big-endian) and signature, in base64
public record NoteSignature(String name, String payload) {
    private static final String START = "— ";
    private static final int KEY_ID_LENGTH = 4;

    /// Checks the name and that the payload holds a key id and a signature.
    public NoteSignature {
        checkName(name);
        if (Encoding.decodeBase64(payload).length <= KEY_ID_LENGTH) {
            throw new InvalidLogException("a signature is shorter than its key id");
        }
    }

    static NoteSignature of(String name, int keyId, byte[] signature) {
        var payload = ByteBuffer.allocate(KEY_ID_LENGTH + signature.length)
                .putInt(keyId)
                .put(signature)
                .array();
        return new NoteSignature(name, Base64.getEncoder().encodeToString(payload));
    }

    /// Reads a signature line.
    ///
    /// @param line the line without its newline
    /// @return the signature
    /// @throws InvalidLogException for a malformed line
    public static NoteSignature parse(String line) {
        var space = line.lastIndexOf(' ');
        if (!line.startsWith(START) || space <= START.length()) {
            throw new InvalidLogException("malformed signature line");
        }
        return new NoteSignature(line.substring(START.length(), space), line.substring(space + 1));
    }

    /// Key names are not empty and hold neither Unicode spaces nor plus.
    static void checkName(String name) {
        var legal = name.codePoints()
                .noneMatch(
                        c -> c == '+' || c < ' ' || c == 0x85 || Character.isWhitespace(c) || Character.isSpaceChar(c));
        if (name.isEmpty() || !legal) {
            throw new InvalidLogException("a key name is empty or holds a space or a plus");
        }
    }

    int keyId() {
        return ByteBuffer.wrap(Base64.getDecoder().decode(payload)).getInt();
    }

    byte[] signature() {
        var bytes = Base64.getDecoder().decode(payload);
        return Arrays.copyOfRange(bytes, KEY_ID_LENGTH, bytes.length);
    }

    /// The line as it stands in a note.
    ///
    /// @return the line with its newline
    public String line() {
        return START + name + " " + payload + "\n";
    }
}
