package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.spans.SpanCollector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Leaks one canary in every form into every place of a running suite, as a careless change would.
final class PlantedLeaks implements AutoCloseable {
    static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final String DATABASE = "gateway";
    private static final byte[] BEFORE = "level=INFO delta=\"My secret is ".getBytes(UTF_8);
    private static final byte[] AFTER = "\" more\n\n".getBytes(UTF_8);

    private final LaunchedSuite suite;
    private final SpanCollector spans;
    private final Canary canary;
    private final HttpServer careless;

    PlantedLeaks(LaunchedSuite suite, SpanCollector spans, Canary canary) throws IOException {
        this.spans = spans;
        this.suite = suite;
        this.canary = canary;
        careless = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    /// What to give to [SearchedPlaces], so that it asks the careless service too.
    Map<String, URI> metrics() {
        var metrics = new TreeMap<String, URI>();
        for (var form : Form.values()) {
            metrics.put(source(form), address("/metrics/" + form));
        }
        return metrics;
    }

    static String source(Form form) {
        return "planted-" + form.name().toLowerCase(Locale.ROOT);
    }

    static String table(Form form) {
        return source(form).replace('-', '_');
    }

    void plant(Received received) throws IOException, SQLException, ExecutionException, InterruptedException {
        for (var form : Form.values()) {
            file(suite.logs().resolve(source(form) + ".log"), form);
            file(suite.temporary().resolve(source(form)), form);
            file(suite.folder().resolve(source(form)), form);
        }
        careless.createContext("/", exchange -> {
            var form = Form.valueOf(exchange.getRequestURI().getPath().replaceFirst(".*/", ""));
            exchange.getResponseHeaders().add("x-thought", canary.phrase());
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                body.write(leak(form));
            }
        });
        careless.start();
        var caller = new CanaryCaller(received, address("/"), "");
        for (var form : Form.values()) {
            caller.get(source(form), address("/stream/" + form));
            export(form);
        }
        rows();
        records();
    }

    private void export(Form form) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(spans.address(source(form)))
                .POST(HttpRequest.BodyPublishers.ofByteArray(leak(form)))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            http.send(request, HttpResponse.BodyHandlers.discarding());
        }
    }

    private void file(Path file, Form form) throws IOException {
        Files.write(file, leak(form));
    }

    private byte[] leak(Form form) {
        var text = new ByteArrayOutputStream();
        text.writeBytes(BEFORE);
        text.writeBytes(form.leak(canary));
        text.writeBytes(AFTER);
        return text.toByteArray();
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + careless.getAddress().getPort() + path);
    }

    private void rows() throws SQLException {
        var tables = new SearchedTables(suite::jdbcUrl, suite.postgresPassword());
        try (var connection = tables.connect(DATABASE)) {
            for (var form : Form.values()) {
                try (var create = connection.createStatement()) {
                    create.execute("create table " + table(form) + " (id serial, content bytea)");
                }
                try (var insert = connection.prepareStatement("insert into " + table(form) + " (content) values (?)")) {
                    insert.setBytes(1, leak(form));
                    insert.execute();
                }
            }
        }
    }

    /// A topic for each codec, and one each for keys and headers; forms are partitions.
    private void records() throws ExecutionException, InterruptedException {
        try (var admin = suite.kafka().admin()) {
            var topics = new TreeMap<String, NewTopic>();
            CODECS.forEach(codec -> topics.put(codec, topic(codec)));
            topics.put("key", topic("key"));
            topics.put("header", topic("header"));
            admin.createTopics(topics.values()).all().get();
        }
        for (var codec : CODECS) {
            try (var producer = producer(codec)) {
                for (var form : Form.values()) {
                    send(producer, new ProducerRecord<>("planted-" + codec, form.ordinal(), null, leak(form)));
                }
            }
        }
        try (var producer = producer("zstd")) {
            for (var form : Form.values()) {
                send(producer, new ProducerRecord<>("planted-key", form.ordinal(), leak(form), new byte[0]));
                Header header = new RecordHeader("thought", leak(form));
                send(
                        producer,
                        new ProducerRecord<>(
                                "planted-header", form.ordinal(), new byte[0], new byte[0], List.of(header)));
            }
        }
    }

    private static NewTopic topic(String name) {
        // Index files are as large as this from the start.
        return new NewTopic("planted-" + name, Form.values().length, (short) 1)
                .configs(Map.of("segment.index.bytes", "4096"));
    }

    private KafkaProducer<byte[], byte[]> producer(String codec) {
        var settings = new HashMap<String, Object>(suite.kafka().login());
        settings.put("bootstrap.servers", suite.kafka().bootstrap());
        settings.put("compression.type", codec);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// In a batch with others, so that there is something to compress.
    private static void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
            throws ExecutionException, InterruptedException {
        for (int copy = 0; copy < 20; copy++) {
            producer.send(record);
        }
        producer.send(record).get();
    }

    @Override
    public void close() {
        careless.stop(0);
    }
}
