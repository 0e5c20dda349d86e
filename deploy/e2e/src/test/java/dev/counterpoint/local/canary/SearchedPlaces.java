package dev.counterpoint.local.canary;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.spans.SpanCollector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All places where a running suite leaves bytes.
///
/// @param suite the suite
/// @param received everything that callers received so far
/// @param metrics further addresses that tell metrics
/// @param spans where the suite sends its traces
record SearchedPlaces(LaunchedSuite suite, Received received, Map<String, URI> metrics, SpanCollector spans) {
    /// What was looked through besides bytes.
    ///
    /// @param records by partition
    /// @param rows by table
    record Counts(Map<String, Long> records, Map<String, Long> rows) {}

    /// Looks through all of them.
    Counts search(Search search) {
        var tables = tables();
        var rows = tables.search(search);
        tables.checkpoint();
        searchMetrics(search);
        spans.bodies().forEach((name, body) -> search.bytes(SearchedPlace.TRACES, name, body));
        searchFiles(search);
        var records = SegmentFiles.search(suite.kafkaData(), search);
        suite.addresses().keySet().forEach(name -> searchOpenFiles(name, search));
        // Last, since all the rest may have been asked for over HTTP.
        received.all().forEach(answer -> search.bytes(SearchedPlace.RECEIVED, answer.name(), answer.bytes()));
        return new Counts(records, rows);
    }

    SearchedTables tables() {
        return new SearchedTables(suite::jdbcUrl, suite.postgresPassword());
    }

    private void searchMetrics(Search search) {
        var all = new TreeMap<>(metrics);
        suite.services().forEach((name, address) -> all.put(name, address.resolve("/q/metrics")));
        // Not through the recorded callers: it would count as received.
        var caller = new CanaryCaller(new Received(), URI.create("http://127.0.0.1"), "");
        all.forEach((name, address) -> {
            var answer = caller.get(name, address);
            if (answer.status() != 200) {
                throw new IllegalStateException(address + " answers " + answer.status());
            }
            search.bytes(SearchedPlace.METRICS, name, answer.bytes());
        });
    }

    private void searchFiles(Search search) {
        var folder = suite.folder();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        search.file(place(file), folder.relativize(file).toString(), file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private SearchedPlace place(Path file) {
        if (file.startsWith(suite.kafkaData())) {
            return SearchedPlace.KAFKA_FILE;
        }
        if (file.startsWith(suite.postgresData())) {
            return SearchedPlace.DATABASE_FILE;
        }
        if (file.startsWith(suite.logs())) {
            return SearchedPlace.LOG;
        }
        return file.startsWith(suite.temporary()) ? SearchedPlace.TEMPORARY_FILE : SearchedPlace.OTHER_FILE;
    }

    /// Files that a process and its children hold open for writing outside the suite's folder, also those that have no
    /// name any more, and the JVM's own file of performance counters.
    private void searchOpenFiles(String name, Search search) {
        var process = suite.process(name);
        Stream.concat(Stream.of(process), process.descendants())
                .flatMap(each -> OpenFiles.written(each.pid()).stream())
                .filter(file -> !file.target().startsWith(suite.folder().toString()) || file.deleted())
                .forEach(file -> search.file(SearchedPlace.TEMPORARY_FILE, name + " " + file.target(), file.link()));
        OpenFiles.counters(process.pid())
                .ifPresent(file -> search.file(SearchedPlace.TEMPORARY_FILE, name + " counters", file));
    }
}
