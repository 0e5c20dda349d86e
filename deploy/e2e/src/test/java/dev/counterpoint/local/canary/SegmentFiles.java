package dev.counterpoint.local.canary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.jspecify.annotations.Nullable;

/// Reads records out of a broker's segment files, as they lie on the disk, whatever compresses their batches.
final class SegmentFiles {
    private static final String SEGMENT = ".log";

    private SegmentFiles() {}

    /// Looks through keys, values and headers of all records. The source of a record is its partition.
    ///
    /// @param data the broker's data directory, which may be in use
    /// @return records by partition
    static Map<String, Long> search(Path data, Search search) {
        var records = new TreeMap<String, Long>();
        try (var files = Files.walk(data)) {
            var segments = files.filter(file -> file.toString().endsWith(SEGMENT))
                    .sorted()
                    .collect(Collectors.groupingBy(file -> partition(data, file), TreeMap::new, Collectors.toList()));
            segments.forEach((partition, its) -> {
                try (var source = search.source(SearchedPlace.KAFKA_RECORD, partition)) {
                    records.put(partition, records(its, source));
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return records;
    }

    private static String partition(Path data, Path segment) {
        return data.relativize(segment).getName(0).toString();
    }

    private static long records(List<Path> segments, Search.Source source) {
        long count = 0;
        for (var segment : segments) {
            try (var file = FileRecords.open(segment.toFile(), false)) {
                for (var batch : file.batches()) {
                    try (var records = batch.streamingIterator(BufferSupplier.NO_CACHING)) {
                        while (records.hasNext()) {
                            record(records.next(), source);
                            count++;
                        }
                    }
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        return count;
    }

    private static void record(Record record, Search.Source source) {
        bytes(record.key(), source);
        bytes(record.value(), source);
        for (var header : record.headers()) {
            bytes(header.key() == null ? null : ByteBuffer.wrap(header.key().getBytes()), source);
            bytes(header.value() == null ? null : ByteBuffer.wrap(header.value()), source);
        }
    }

    private static void bytes(@Nullable ByteBuffer buffer, Search.Source source) {
        if (buffer != null) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            source.write(bytes, 0, bytes.length);
            source.cut();
        }
    }
}
