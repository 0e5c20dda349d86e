package dev.counterpoint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.SortedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// The files of a bundle, of which somebody changes one.
record MutatedBundle(TreeMap<String, byte[]> files, Random random) {
    private static final int KINDS = 11;

    static TreeMap<String, byte[]> read(Path zip) throws IOException {
        var files = new TreeMap<String, byte[]>();
        try (var in = new ZipInputStream(Files.newInputStream(zip))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
        }
        return files;
    }

    Path write(Path zip) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (var file : files.entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue());
                out.closeEntry();
            }
        }
        return zip;
    }

    /// @return what was done
    String mutate() {
        var name = any();
        int kind = random.nextInt(KINDS);
        switch (kind) {
            case 0, 1 -> flip(name);
            case 2 -> files.put(name, Arrays.copyOf(content(name), random.nextInt(content(name).length + 1)));
            case 3 ->
                files.put(
                        name,
                        (new String(content(name), UTF_8)
                                        + List.of(" ", "\n", "}", "x").get(random.nextInt(4)))
                                .getBytes(UTF_8));
            case 4 -> files.remove(name);
            case 5 ->
                files.put(
                        List.of("leaves/7.json", "leaves/00.json", "events/9.json", "new", "events/12345678901.json")
                                .get(random.nextInt(5)),
                        content(name));
            case 6 -> {
                var other = any();
                var content = content(name);
                files.put(name, content(other));
                files.put(other, content);
            }
            default -> edit(name, random.nextInt(10));
        }
        if (random.nextInt(3) > 0 && files.containsKey("manifest.json")) {
            list();
        }
        return kind + " " + name;
    }

    private byte[] content(String name) {
        return Objects.requireNonNull(files.get(name));
    }

    private String any() {
        return List.copyOf(files.keySet()).get(random.nextInt(files.size()));
    }

    private void flip(String name) {
        var content = content(name).clone();
        if (content.length > 0) {
            int at = random.nextInt(content.length);
            content[at] =
                    random.nextBoolean() ? (byte) random.nextInt(256) : (byte) (content[at] ^ 1 << random.nextInt(8));
        }
        files.put(name, content);
    }

    /// Changes that keep the form of a file, or nearly.
    private void edit(String name, int kind) {
        var text = new String(content(name), UTF_8);
        var changed = switch (kind) {
            case 0 -> text.replaceFirst("\"personal\":\"(?:[^\"\\\\]|\\\\.)*\",", "");
            case 1 -> text.replaceFirst("\"personal_salt\":\"[^\"]*\",", "");
            case 2 -> text.replaceFirst("\"content\":\"[^\"]*\",", "");
            case 3 -> text.replaceFirst("token-", "taken-");
            case 4 -> text.replaceFirst(",", ", ");
            case 5 -> text.replaceFirst("\"salt\":\"([^\"]*)\"", "\"salt\":null");
            case 6 -> text.replaceFirst("index (\\d+)", "index 1$1");
            case 7 -> text.replaceFirst("=", "");
            case 8 -> text.replaceFirst("\\{", "{\"a\":[1,2.5],");
            default -> text.replaceFirst("\n\n", "\n").replaceFirst("\"v\":1", "\"v\":1.0");
        };
        files.put(name, changed.getBytes(UTF_8));
    }

    /// Writes the manifest that fits.
    void list() {
        var hashes = new TreeMap<String, Object>();
        files.forEach((name, content) -> hashes.put(name, HexFormat.of().formatHex(Commitment.to(content))));
        hashes.remove("manifest.json");
        files.put(
                "manifest.json",
                SortedJson.of(new TreeMap<>(Map.of("files", hashes, "v", 1))).getBytes(UTF_8));
    }
}
