package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameCheck;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The trust of one reader in the log of one response, from a verified frame 0 on: decisions are signed by the role
/// that takes them, and every frame of an attempt's holder has a tag under the attempt's key, which came with a
/// signed fence. Holds the keys of all attempts. Not thread-safe.
public final class LogTrust implements FrameCheck {
    private static final AttemptKeys NONE = new AttemptKeys(null, null);

    private final ResponseId response;
    private final String tenant;
    private final KeyRing keys;
    /// Frame 0 until the log was asked about it: it is verified already.
    private @Nullable Frame first;
    /// The fence that this process has signed itself.
    private @Nullable Frame own;

    private final Map<Long, Holder> holders = new HashMap<>();

    /// A worker that fenced an attempt. Most fences are read by somebody who needs their keys, and one that lost
    /// never.
    private static final class Holder {
        private final int attempt;
        private final Fence fence;
        private @Nullable AttemptKeys keys;

        private Holder(int attempt, Fence fence) {
            this.attempt = attempt;
            this.fence = fence;
        }
    }

    private LogTrust(Frame first, String tenant, KeyRing keys) {
        this.first = first;
        this.response = first.response();
        this.tenant = tenant;
        this.keys = keys;
    }

    /// Verifies frame 0.
    ///
    /// @return null when it is no frame 0 that a gateway signed; this is counted
    public static @Nullable LogTrust of(Frame first, KeyRing keys) {
        if (first.kind() != FrameKind.ACCEPTED || !keys.signatures().verifies(first)) {
            keys.signatures().refused(Topic.FRAMES, Reason.SIGNATURE);
            return null;
        }
        try {
            return new LogTrust(first, Accepted.decode(first.body()).tenant(), keys);
        } catch (MalformedMessageException e) {
            keys.signatures().refused(Topic.FRAMES, Reason.CONTENT);
            return null;
        }
    }

    /// Takes a fence for signed, because this process has signed it.
    public void trust(Frame fence) {
        own = fence;
    }

    public ResponseId response() {
        return response;
    }

    @Override
    public boolean genuine(Frame frame) {
        if (!frame.response().equals(response)) {
            return refused(Reason.PLACE);
        }
        return switch (frame.kind()) {
            case ACCEPTED -> isFirst(frame);
            case FENCE -> signed(frame) && fenced(frame);
            case SUMMARY_ABANDONED, SUMMARY_END, STEER -> signed(frame);
            case REISSUE -> signed(frame) && reads(frame, body -> Wire.parse(BusProto.Reissue.parser(), body));
            case OWNER_END -> signed(frame) && reads(frame, OwnerEnd::decode);
            case DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY -> tagged(frame);
            case UNKNOWN -> false;
        };
    }

    /// Any other would be a second one, which never counts.
    private boolean isFirst(Frame frame) {
        boolean is = frame.equals(first);
        first = null;
        return is || refused(keys.signatures().verifies(frame) ? Reason.OLDER : Reason.SIGNATURE);
    }

    private boolean signed(Frame frame) {
        return frame.equals(own) || keys.signatures().verifies(frame) || refused(Reason.SIGNATURE);
    }

    private boolean fenced(Frame frame) {
        try {
            holders.putIfAbsent(frame.nonce(), new Holder(frame.attempt(), Fence.decode(frame.body())));
            return true;
        } catch (MalformedMessageException e) {
            return refused(Reason.CONTENT);
        }
    }

    private boolean reads(Frame frame, Consumer<byte[]> decoder) {
        try {
            decoder.accept(frame.body());
            return true;
        } catch (MalformedMessageException e) {
            return refused(Reason.CONTENT);
        }
    }

    private boolean tagged(Frame frame) {
        try {
            var visible = keysOf(frame.nonce()).visible();
            return visible != null && visible.hasTagged(frame) || refused(Reason.TAG);
        } catch (SealException e) {
            return refused(Reason.TAG);
        }
    }

    private boolean refused(Reason reason) {
        keys.signatures().refused(Topic.FRAMES, reason);
        return false;
    }

    /// The keys that a worker's fence has for this reader; none of a worker that has not fenced.
    ///
    /// @throws SealException when a key does not open
    public AttemptKeys keysOf(long nonce) {
        var holder = holders.get(nonce);
        if (holder == null) {
            return NONE;
        }
        var known = holder.keys;
        if (known == null) {
            var place = new AttemptKeys.Place(tenant, response, holder.attempt, nonce);
            known = AttemptKeys.of(holder.fence, place, keys);
            holder.keys = known;
        }
        return known;
    }

    /// A `STEER` with its input, to be signed.
    ///
    /// @param steer its nonce is its name
    public static Frame steer(Frame steer, String tenant, byte[] input, KeyRing keys) {
        return steer.withBody(keys.sealFor(ServiceRole.GATEWAY, input, steerContext(steer, tenant)));
    }

    /// The input of a steer.
    ///
    /// @throws SealException when it does not open for this reader
    public byte[] steer(Frame frame) {
        return keys.open(frame.body(), steerContext(frame, tenant));
    }

    private static String steerContext(Frame steer, String tenant) {
        return "steer|" + tenant + "|" + steer.response() + "|" + Long.toHexString(steer.nonce());
    }

    /// The worker that fenced with this nonce, as its beats name it; null when none has.
    public @Nullable String worker(long nonce) {
        var holder = holders.get(nonce);
        return holder == null ? null : holder.fence.worker();
    }
}
