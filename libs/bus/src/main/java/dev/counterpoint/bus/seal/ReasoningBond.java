package dev.counterpoint.bus.seal;

import com.google.protobuf.ByteString;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;

/// Binds reasoning to the request that it was made for: its end user, and the conversation that it brought. It holds
/// digests under the MAC's key, so nobody else can find out what was said by trying. An empty digest is not compared.
public record ReasoningBond(BusProto.ReasoningBond message) {
    /// Binds to nothing, as gateways of the last version did.
    public static final ReasoningBond NONE = new ReasoningBond(BusProto.ReasoningBond.getDefaultInstance());

    private static final byte[] LABEL = "reasoning bond".getBytes(StandardCharsets.UTF_8);

    /// The same for an output whose first items are not the model's.
    ///
    /// @param index of the first item that may be
    public ReasoningBond from(int index) {
        return new ReasoningBond(message.toBuilder().setOutputIndex(index).build());
    }

    /// Index of the first item that the model's output may become.
    public int firstItem() {
        return Wire.small(message.getOutputIndex());
    }

    /// Makes and compares the digests of an owner.
    ///
    /// @param context as [SealedReasoning#context] makes it; of any model
    public record Digests(KeyRing keys, String context) {
        /// @param what is digested
        public ByteString of(String what, byte[] content) {
            try {
                return ByteString.copyFrom(keys.reasoningMac().computeMac(input(what, content)));
            } catch (GeneralSecurityException e) {
                throw new SealException("binding reasoning failed");
            }
        }

        /// True if [#of] made this digest of the same, or if it is empty.
        public boolean fits(ByteString digest, String what, byte[] content) {
            try {
                if (!digest.isEmpty()) {
                    keys.reasoningMac().verifyMac(digest.toByteArray(), input(what, content));
                }
                return true;
            } catch (GeneralSecurityException e) {
                return false;
            }
        }

        private byte[] input(String what, byte[] content) {
            var owner = SealedReasoning.owner(context).getBytes(StandardCharsets.UTF_8);
            return SealedReasoning.framed(List.of(LABEL, owner, what.getBytes(StandardCharsets.UTF_8), content));
        }
    }

    @Override
    public String toString() {
        return "ReasoningBond[count=" + message.getCount() + "]";
    }
}
