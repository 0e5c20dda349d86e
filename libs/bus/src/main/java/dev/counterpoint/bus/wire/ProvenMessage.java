package dev.counterpoint.bus.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/// A message and its signature or tag, which is its last field.
///
/// @param content the exact bytes before that field
public record ProvenMessage(byte[] content, byte[] proof) {
    /// The number of the signature or tag in messages that have one.
    public static final int PROOF = 15;

    private static final int PROOF_TAG = PROOF << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    public byte[] encode() {
        int size = CodedOutputStream.computeByteArraySize(PROOF, proof);
        var bytes = Arrays.copyOf(content, content.length + size);
        try {
            CodedOutputStream.newInstance(bytes, content.length, size).writeByteArray(PROOF, proof);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    /// @throws MalformedMessageException for bytes that do not end with a proof
    public static ProvenMessage decode(byte[] bytes) {
        var in = CodedInputStream.newInstance(bytes);
        try {
            int begins = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (tag == PROOF_TAG) {
                    var proof = in.readByteArray();
                    if (in.isAtEnd()) {
                        return new ProvenMessage(Arrays.copyOf(bytes, begins), proof);
                    }
                } else {
                    in.skipField(tag);
                }
                begins = in.getTotalBytesRead();
            }
        } catch (IOException e) {
            throw new MalformedMessageException("not a valid message: " + e.getMessage());
        }
        throw new MalformedMessageException("a message without a proof");
    }
}
