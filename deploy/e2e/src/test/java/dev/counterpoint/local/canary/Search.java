package dev.counterpoint.local.canary;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Looks for canaries in all forms, and keeps what it found and how much it looked through. Not thread-safe.
final class Search {
    /// So many of the six words make a leak even when they stand apart. A database's own texts hold one or
    /// two, and four bytes of an id stand in 20 MB of random bytes once in 200 times.
    private static final int APART_MIN = 4;

    private final List<Canary> canaries;
    private final List<List<Sign>> signs;
    private final ByteSearch bytes;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<SearchedPlace, Map<String, Long>> searched = new EnumMap<>(SearchedPlace.class);

    /// What a needle tells of.
    private record Sign(int canary, Form form, int words, boolean faint) {}

    /// @param source file, table, partition or answer
    record Finding(Canary canary, SearchedPlace place, String source, Form form) {}

    Search(List<Canary> canaries) {
        this.canaries = List.copyOf(canaries);
        // Some forms write some words alike.
        var needles = new LinkedHashMap<ByteBuffer, List<Sign>>();
        for (int canary = 0; canary < canaries.size(); canary++) {
            for (var form : Form.values()) {
                for (var needle : form.needles(canaries.get(canary))) {
                    needles.computeIfAbsent(ByteBuffer.wrap(needle.bytes()), _ -> new ArrayList<>())
                            .add(new Sign(canary, form, needle.words(), needle.faint()));
                }
            }
        }
        signs = List.copyOf(needles.values());
        bytes = new ByteSearch(needles.keySet().stream().map(ByteBuffer::array).toList());
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// Bytes looked through, by source.
    Map<String, Long> searched(SearchedPlace place) {
        return searched.getOrDefault(place, Map.of());
    }

    long bytesSearched(SearchedPlace place) {
        return searched(place).values().stream().mapToLong(Long::longValue).sum();
    }

    /// Whatever is written to it is looked through; closing it draws the conclusion.
    Source source(SearchedPlace place, String name) {
        return new Source(place, name);
    }

    void bytes(SearchedPlace place, String name, byte[] content) {
        try (var source = source(place, name)) {
            source.write(content, 0, content.length);
        }
    }

    /// A file that is gone by now was deleted meanwhile.
    void file(SearchedPlace place, String name, Path file) {
        try (InputStream in = Files.newInputStream(file);
                var source = source(place, name)) {
            byte[] buffer = new byte[1 << 20];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                source.write(buffer, 0, read);
            }
        } catch (NoSuchFileException gone) {
            return;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// One stream of bytes.
    final class Source extends OutputStream {
        private final SearchedPlace place;
        private final String name;
        private final int[] firm;
        private final int[] faint;
        private final ByteSearch.Scan scan = bytes.scan(this::hit);
        private long length;

        private Source(SearchedPlace place, String name) {
            this.place = place;
            this.name = name;
            firm = new int[canaries.size() * Form.values().length];
            faint = new int[firm.length];
        }

        @Override
        public void write(int letter) {
            write(new byte[] {(byte) letter}, 0, 1);
        }

        @Override
        public void write(byte[] content, int from, int count) {
            scan.accept(content, from, count);
            length += count;
        }

        /// What comes next does not follow on what came, but belongs to it.
        void cut() {
            scan.cut();
        }

        private void hit(int needle) {
            for (var sign : signs.get(needle)) {
                (sign.faint() ? faint : firm)
                                [
                                sign.canary() * Form.values().length
                                        + sign.form().ordinal()] |=
                        sign.words();
            }
        }

        @Override
        public void close() {
            searched.computeIfAbsent(place, _ -> new TreeMap<>()).merge(name, length, Long::sum);
            for (int at = 0; at < firm.length; at++) {
                var form = Form.values()[at % Form.values().length];
                boolean apart =
                        Integer.bitCount(faint[at]) >= APART_MIN && !(form.isOfIds() && place.isFullOfNumbers());
                if (firm[at] != 0 || apart) {
                    findings.add(new Finding(canaries.get(at / Form.values().length), place, name, form));
                }
            }
        }
    }
}
