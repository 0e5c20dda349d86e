package dev.counterpoint.auditlog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The row behind a leaf. Its text may hold hashes of two parts, which can be gone while the rest stays provable: the
/// personal one, which an erasure takes away, and the ciphertext.
///
/// @param row text that the leaf commits to, in the form of [SortedJson]
/// @param personal text whose salted hash is in the row
/// @param content ciphertext whose hash is in the row
@JsonNaming(SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Opening(
        byte[] salt,
        String row,
        byte @Nullable [] personalSalt,
        @Nullable String personal,
        byte @Nullable [] content) {
    static final String PERSONAL = "personal";
    static final String CONTENT = "content";
    private static final String COVERS = "covers";

    /// Whether this is the row of a leaf, with the parts that are there.
    public boolean opens(byte[] commitment) {
        return Arrays.equals(commitment(), commitment)
                && (personal == null || (personalSalt != null && has(PERSONAL, Commitment.to(personalSalt, personal))))
                && (content == null || has(CONTENT, Commitment.to(content)));
    }

    public byte[] commitment() {
        return Commitment.to(salt, row);
    }

    /// Whether the personal part is gone. Only an event that covers the leaf takes it away.
    public boolean lacksPersonal() {
        return (personal == null || personalSalt == null) && !hash(PERSONAL).isEmpty();
    }

    public boolean lacksContent() {
        return content == null && !hash(CONTENT).isEmpty();
    }

    /// The leaves whose personal part the event behind this row took away.
    public List<Long> covers() {
        return SortedJson.read(row)
                .path(COVERS)
                .valueStream()
                .map(JsonNode::asLong)
                .toList();
    }

    private boolean has(String part, byte[] hash) {
        return hash(part).equals(HexFormat.of().formatHex(hash));
    }

    private String hash(String part) {
        return SortedJson.read(row).path(part).asText();
    }

    byte[] encode() {
        return SortedJson.bytes(this);
    }

    /// Empty for bytes in any other form.
    static Optional<Opening> read(byte[] file) {
        return SortedJson.exactly(file, Opening.class)
                .filter(read -> Objects.nonNull(read.salt) && Objects.nonNull(read.row));
    }
}
