package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/// One signature line of a note: `— <key name> base64(key id || signature)`.
/// The payload is the key id (4 bytes, big-endian) and the signature, in base64.
public record NoteSignature(String name, String payload) {
    private static final String START = "— ";
    private static final int KEY_ID_LENGTH = 4;
    private static final Pattern NAME = Pattern.compile("[^+\\p{IsWhite_Space}\\x00-\\x1f]+");

    public NoteSignature {
        checkName(name);
        require(Encoding.decodeBase64(payload).length > KEY_ID_LENGTH, "a signature is shorter than its key id");
    }

    static NoteSignature of(VerifierKey key, byte[] signature) {
        var id = ByteBuffer.allocate(KEY_ID_LENGTH).putInt(key.id()).array();
        return new NoteSignature(key.name(), Base64.getEncoder().encodeToString(VerifierKey.concat(id, signature)));
    }

    /// Reads a line without its newline.
    static NoteSignature parse(String line) {
        var space = line.lastIndexOf(' ');
        require(line.startsWith(START) && space > START.length(), "malformed signature line");
        return new NoteSignature(line.substring(START.length(), space), line.substring(space + 1));
    }

    static void checkName(String name) {
        require(NAME.matcher(name).matches(), "a key name is empty or has a space or a plus");
    }

    boolean names(VerifierKey key) {
        return name.equals(key.name())
                && ByteBuffer.wrap(Base64.getDecoder().decode(payload)).getInt() == key.id();
    }

    byte[] signature() {
        var bytes = Base64.getDecoder().decode(payload);
        return Arrays.copyOfRange(bytes, KEY_ID_LENGTH, bytes.length);
    }

    /// The time of a cosignature, in seconds since 1970.
    public long time() {
        return ByteBuffer.wrap(signature()).getLong();
    }

    /// The line in a note, with its newline.
    public String line() {
        return START + name + " " + payload + "\n";
    }
}
