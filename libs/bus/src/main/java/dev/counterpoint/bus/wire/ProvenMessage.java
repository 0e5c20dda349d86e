package dev.counterpoint.bus.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Arrays;

/// A message and its signature or tag, which is its last field: see [FieldReader#PROOF].
///
/// @param content the exact bytes before that field
public record ProvenMessage(byte[] content, byte[] proof) {
    private static final int PROOF_TAG = WireFormat.WIRETYPE_LENGTH_DELIMITED | FieldReader.PROOF << 3;

    public byte[] encode() {
        return new FieldWriter()
                .encoded(content)
                .bytes(FieldReader.PROOF, proof)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that do not end with a proof
    public static ProvenMessage decode(byte[] bytes) {
        var in = CodedInputStream.newInstance(bytes);
        try {
            int last = 0;
            int lastTag = 0;
            int begins = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                last = begins;
                lastTag = tag;
                in.skipField(tag);
                begins = in.getTotalBytesRead();
            }
            if (lastTag != PROOF_TAG || begins != bytes.length) {
                throw new MalformedMessageException("a message without a proof");
            }
            var proof = new FieldReader(Arrays.copyOfRange(bytes, last, bytes.length)).bytes(FieldReader.PROOF);
            return new ProvenMessage(Arrays.copyOf(bytes, last), proof);
        } catch (IOException e) {
            throw new MalformedMessageException("not a valid message: " + e.getMessage());
        }
    }
}
