package dev.counterpoint.auditlog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/// What the log commits to of a row of the table `dead_letter`.
public final class DeadLetterText {
    public static final String TABLE = "dead_letter";

    private DeadLetterText() {}

    /// @param place topic, partition and offset of the record, such as `audit/3/17`
    /// @param bodyHash of [Commitment#to(byte[])]
    public static String of(String place, Instant receivedAt, String cause, byte[] bodyHash) {
        return SortedJson.of(new TreeMap<>(Map.of(
                "place",
                place,
                "received_at",
                ChronoUnit.MICROS.between(Instant.EPOCH, receivedAt),
                "cause",
                cause,
                "body",
                HexFormat.of().formatHex(bodyHash))));
    }
}
