package dev.counterpoint.bus.seal;

import com.google.crypto.tink.Mac;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/// The model's thoughts in an open turn, as a client carries them between requests: the `encrypted_content` of a
/// reasoning item.
///
/// Readable by workers only. A header (version, expiry, size, conversation, model, item, bond) is in clear under a
/// MAC that gateways check too, so a damaged or foreign blob is refused, and one that does not fit is left out, before
/// anything is queued. Cipher and MAC both cover the `context`, which says whose reasoning it is: tenant, project and
/// model. The prefix that Tink puts before MAC and cipher text names the key, so keys rotate without a word in the
/// header. The last version wrote the header without model, item and bond.
///
/// The conversation is the one that the server held when the reasoning was sealed, empty where it held none. It stands
/// in the header and not in the context because a client that keeps its history itself may bring reasoning of any
/// conversation of its own.
public final class SealedReasoning {
    private static final int VERSION = 3;

    private SealedReasoning() {}

    /// The turn that a blob comes back to.
    ///
    /// @param context as [#context] makes it
    /// @param conversation id of the conversation that the server holds for the request; empty when the
    ///     client keeps its history itself, and then blobs of every conversation pass
    public record Turn(String context, String conversation) {
        boolean takes(Header header) {
            return conversation.isEmpty() || conversation.equals(header.conversation);
        }
    }

    /// The context that names the owner of reasoning.
    ///
    /// @throws IllegalArgumentException when tenant or project holds the character that separates them
    public static String context(String tenant, String project, String model) {
        if (tenant.indexOf('|') >= 0 || project.indexOf('|') >= 0) {
            throw new IllegalArgumentException("ids of tenants and projects hold no '|'");
        }
        return tenant + "|" + project + "|" + model;
    }

    /// Tenant and project of a context, which models have in common.
    static String owner(String context) {
        return context.substring(0, context.length() - model(context).length());
    }

    /// The model of a context; empty where it names none.
    public static String model(String context) {
        int project = context.indexOf('|') + 1;
        int model = context.indexOf('|', project) + 1;
        return project == 0 || model == 0 ? "" : context.substring(model);
    }

    /// The part of a blob that a gateway may know.
    ///
    /// @param expiresAtMillis milliseconds since 1970
    /// @param tokens the number of tokens that the reasoning adds to a prompt
    /// @param conversation the one that the server held it in; empty for none
    /// @param model that reasoned; empty in headers that do not say
    /// @param item its id; empty in headers that do not say
    /// @param bond the request that it was made for
    public record Header(
            long expiresAtMillis, int tokens, String conversation, String model, String item, ReasoningBond bond) {
        /// As the last version wrote it.
        public Header(long expiresAtMillis, int tokens, String conversation) {
            this(expiresAtMillis, tokens, conversation, "", "", ReasoningBond.NONE);
        }

        byte[] encode() {
            var out = BusProto.SealedReasoningHeader.newBuilder()
                    .setVersion(VERSION)
                    .setExpiresAtMillis(expiresAtMillis)
                    .setTokens(tokens)
                    .setConversationBytes(Wire.text(conversation))
                    .setModelBytes(Wire.text(model))
                    .setItem(item);
            if (!ReasoningBond.NONE.equals(bond)) {
                out.setBond(bond.message());
            }
            return out.build().toByteArray();
        }

        static Header decode(byte[] bytes) {
            var in = Wire.parse(BusProto.SealedReasoningHeader.parser(), bytes, VERSION);
            return new Header(
                    in.getExpiresAtMillis(),
                    Wire.small(in.getTokens()),
                    in.getConversation(),
                    in.getModel(),
                    in.getItem(),
                    new ReasoningBond(in.getBond()));
        }
    }

    /// Seals a part of a turn; for workers.
    ///
    /// @param sampled the model's own tokens, so that the next request goes on from what it really said
    public static String seal(int[] sampled, Header header, String context, KeyRing keys) {
        var head = header.encode();
        try {
            var content = BusProto.SealedTokens.newBuilder();
            for (int token : sampled) {
                content.addTokens(token);
            }
            var sealed = keys.reasoning().encrypt(content.build().toByteArray(), bound(context, head, new byte[0]));
            var tag = keys.reasoningMac().computeMac(bound(context, head, sealed));
            return blob(head, tag, sealed);
        } catch (GeneralSecurityException e) {
            throw new SealException("sealing reasoning failed");
        }
    }

    /// Reads the header of a blob of this owner, whatever its model, conversation and age; for gateways.
    ///
    /// @param context as [#context] makes it; its model is that of blobs that name none
    /// @throws SealException when it is damaged, of another tenant or project, or sealed with a key that has been
    ///     retired; the text does not say which
    public static Header header(String blob, String context, KeyRing keys) {
        return verified(blob, context, true, keys.reasoningMac()).header();
    }

    /// Checks a blob without opening it; for gateways and workers.
    ///
    /// @throws SealException when it is damaged, expired, or of another context or conversation, or sealed with
    ///     a key that has been retired; the text does not say which
    public static Header check(String blob, Turn turn, long nowMillis, KeyRing keys) {
        return fitting(blob, turn, nowMillis, keys.reasoningMac()).header();
    }

    /// Opens a blob; for workers.
    ///
    /// @return the tokens that were sealed
    /// @throws SealException as [#check]
    public static int[] open(String blob, Turn turn, long nowMillis, KeyRing keys) {
        var parts = fitting(blob, turn, nowMillis, keys.reasoningMac());
        try {
            var bond = bound(turn.context, parts.head, new byte[0]);
            var content = keys.reasoning().decrypt(parts.sealed, bond);
            var in = Wire.parse(BusProto.SealedTokens.parser(), content);
            return in.getTokensList().stream().mapToInt(Integer::intValue).toArray();
        } catch (GeneralSecurityException | MalformedMessageException e) {
            throw refused();
        }
    }

    private static String blob(byte[] head, byte[] tag, byte[] sealed) {
        var blob = BusProto.SealedReasoning.newBuilder()
                .setHeader(Wire.bytes(head))
                .setMac(Wire.bytes(tag))
                .setSealed(Wire.bytes(sealed))
                .build();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(blob.toByteArray());
    }

    private record Parts(byte[] head, byte[] sealed, Header header) {}

    private static Parts fitting(String blob, Turn turn, long nowMillis, Mac mac) {
        var parts = verified(blob, turn.context, false, mac);
        boolean alive = parts.header.expiresAtMillis() >= nowMillis;
        boolean own = turn.takes(parts.header); // looked at even when it has expired
        if (!alive || !own) {
            throw refused();
        }
        return parts;
    }

    /// @param anyModel whether the header says which model of the owner's it is of
    private static Parts verified(String blob, String context, boolean anyModel, Mac mac) {
        try {
            var in = Wire.parse(
                    BusProto.SealedReasoning.parser(), Base64.getUrlDecoder().decode(blob));
            var head = in.getHeader().toByteArray();
            var tag = in.getMac().toByteArray();
            var sealed = in.getSealed().toByteArray();
            // Base64 and fields leave room for other spellings of the same parts; only the worker's own passes.
            if (!blob(head, tag, sealed).equals(blob)) {
                throw refused();
            }
            var header = Header.decode(head);
            boolean named = anyModel && !header.model().isEmpty();
            mac.verifyMac(tag, bound(named ? owner(context) + header.model() : context, head, sealed));
            return new Parts(head, sealed, header);
        } catch (IllegalArgumentException | MalformedMessageException | GeneralSecurityException e) {
            throw refused();
        }
    }

    private static SealException refused() {
        return new SealException("sealed reasoning does not verify");
    }

    private static byte[] bound(String context, byte[] head, byte[] sealed) {
        return framed(List.of(context.getBytes(StandardCharsets.UTF_8), head, sealed));
    }

    /// Lengths stand before parts, so that no two lists of parts give the same bytes.
    static byte[] framed(List<byte[]> parts) {
        var bytes = new ByteArrayOutputStream();
        for (var part : parts) {
            bytes.writeBytes(ByteBuffer.allocate(4).putInt(part.length).array());
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
