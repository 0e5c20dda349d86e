package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/// Serves a witness over HTTP: `POST /add-checkpoint` and `GET /<origin hash>/checkpoint`. A proxy in front of it
/// does TLS and bounds the number of requests.
public final class WitnessServer implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = SignedNote.BYTES_MAX + 8 * 1024;
    private static final int BACKLOG = 64;
    private static final Pattern CHECKPOINT = Pattern.compile("/([0-9a-f]{64})/checkpoint");

    private final Witness witness;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// Starts a server. Port 0 takes a free one.
    public WitnessServer(Witness witness, InetSocketAddress address) throws IOException {
        this.witness = witness;
        this.http = HttpServer.create(address, BACKLOG);
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
    }

    /// Runs a witness: `WitnessServer <folder> <name> <port>`. The file `logs` of the folder lists the vkeys of
    /// the logs, one a line. The first start makes the keys and the folder `checkpoints`. Later ones refuse to
    /// run without this folder, because a witness without memory would sign a second history.
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("usage: WitnessServer <folder> <name> <port>");
            System.exit(2);
        }
        var folder = Path.of(args[0]);
        var logs = Files.readAllLines(folder.resolve("logs")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(VerifierKey::parse)
                .toList();
        var checkpoints = folder.resolve("checkpoints");
        if (Files.notExists(folder.resolve("ml-dsa-44.key"))) {
            Files.createDirectories(checkpoints);
        }
        require(Files.isDirectory(checkpoints), "the folder of checkpoints is missing: make a new witness");
        var signers = List.of(
                signer(folder.resolve("ed25519.key"), args[1], SignatureType.ED25519_COSIGNATURE),
                signer(folder.resolve("ml-dsa-44.key"), args[1], SignatureType.ML_DSA_44));
        signers.forEach(signer -> System.out.println(signer.verifier()));
        var server = new WitnessServer(
                new Witness(logs, signers, checkpoints, InstantSource.system()),
                new InetSocketAddress(Integer.parseInt(args[2])));
        System.out.println("listening on port " + server.port());
    }

    private static NoteSigner signer(Path file, String name, SignatureType type) throws IOException {
        if (Files.notExists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, NoteSigner.generate(name, type).secret());
        }
        var signer = NoteSigner.parse(Files.readString(file));
        require(signer.verifier().name().equals(name), "the key has another name");
        return signer;
    }

    /// The port that the server listens on.
    public int port() {
        return http.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var answer = answer(exchange);
            var type = answer.status() == 409 ? "text/x.tlog.size" : "text/plain; charset=utf-8";
            exchange.getResponseHeaders().set("Content-Type", type);
            var body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Witness.Answer answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var checkpoint = CHECKPOINT.matcher(path);
        return switch (exchange.getRequestMethod()) {
            case "POST" -> path.equals("/add-checkpoint") ? add(exchange) : new Witness.Answer(404, "unknown path\n");
            case "GET" ->
                (checkpoint.matches() ? witness.latest(checkpoint.group(1)) : Optional.<SignedNote>empty())
                        .map(note -> new Witness.Answer(200, note.toString()))
                        .orElse(new Witness.Answer(404, "no such checkpoint\n"));
            default -> new Witness.Answer(405, "method not allowed\n");
        };
    }

    private Witness.Answer add(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readNBytes(REQUEST_BYTES_MAX + 1);
        return body.length > REQUEST_BYTES_MAX ? new Witness.Answer(413, "request too large\n") : witness.add(body);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.close();
    }
}
