package dev.counterpoint.audit.scan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.counterpoint.audit.records.OpenedRecord;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import dev.counterpoint.auditlog.Commitment;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

/// How far a scan is. It keeps ids, never a text. Not thread-safe.
final class ScanProgress {
    private final Predicate<String> matcher;
    private final List<String> found = new ArrayList<>();
    private final ByteArrayOutputStream opened = new ByteArrayOutputStream();
    private int openedCount;
    private int looked;
    private long before = Long.MAX_VALUE;

    ScanProgress(Scan scan) {
        matcher = TextMatcher.of(scan);
    }

    void look(OpenedRecord record) {
        looked++;
        if (record.result() instanceof ReadResult.Opened read) {
            openedCount++;
            opened.writeBytes((record.response() + "\n").getBytes(US_ASCII));
            if (read.segments().stream().anyMatch(segment -> matcher.test(segment.text()))) {
                found.add(record.response());
            }
        }
    }

    long before() {
        return before;
    }

    void continueBefore(long seq) {
        before = seq;
    }

    int looked() {
        return looked;
    }

    int opened() {
        return openedCount;
    }

    /// SHA-256 of the ids of all records that were opened, the last stored first, a line each.
    String openedHash() {
        return HexFormat.of().formatHex(Commitment.to(opened.toByteArray()));
    }

    List<String> found() {
        return found;
    }
}
