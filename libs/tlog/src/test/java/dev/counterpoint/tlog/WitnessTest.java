package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessTest {
    private static final String ORIGIN = "audit.example/log";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final NoteSigner LOG = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
    private static final List<NoteSigner> WITNESS = List.of(
            NoteSigner.generate("w.example", SignatureType.ED25519_COSIGNATURE),
            NoteSigner.generate("w.example", SignatureType.ML_DSA_44));
    private static final List<MerkleHash> LEAVES = IntStream.range(0, 100)
            .mapToObj(i -> MerkleHash.ofLeaf(new byte[] {(byte) i}))
            .toList();

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private WitnessServer server;

    @BeforeEach
    void start() throws IOException {
        var witness = new Witness(List.of(LOG.verifier()), WITNESS, folder, InstantSource.fixed(NOW));
        server = new WitnessServer(witness, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void cosignsEachCheckpointThatExtendsTheLast() throws Exception {
        var client = client();
        for (var size : List.of(0, 1, 1, 7, 8, 100)) {
            assertThat(client.cosign(note(size), tree(size))).hasSize(2);
        }
        var latest = get("/" + Witness.originHash(ORIGIN) + "/checkpoint");
        var keys = new ArrayList<>(List.of(LOG.verifier()));
        WITNESS.forEach(signer -> keys.add(signer.verifier()));
        assertThat(SignedNote.parse(latest).verify(keys)).hasSize(3);
    }

    @Test
    void learnsTheSizeThatTheWitnessHas() throws Exception {
        client().cosign(note(20), tree(20));
        assertThat(client().cosign(note(50), tree(50))).hasSize(2);
        assertThatIOException()
                .isThrownBy(() -> client().cosign(note(30), tree(30)))
                .withMessage("the witness has a larger tree: 50");
    }

    @Test
    void refusesAnotherHistory() throws Exception {
        client().cosign(note(20), tree(20));
        var forked = new ArrayList<>(LEAVES.subList(0, 40));
        forked.set(3, LEAVES.get(99));
        var fork = MerkleTree.ofLeaves(forked);
        var signed = LOG.sign(new Checkpoint(ORIGIN, 40, fork.root()), NOW);
        assertThatIOException().isThrownBy(() -> client().cosign(signed, fork)).withMessage("the witness answered 422");
        assertThat(client().cosign(note(40), tree(40))).hasSize(2);
    }

    @Test
    void answersEachFaultWithTheStatusOfTheSpecification() throws Exception {
        var zero = new Checkpoint(ORIGIN, 0, LEAVES.getFirst());
        var stranger = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        assertThat(post("")).isEqualTo(400);
        assertThat(post("old 01\n\n" + note(5))).isEqualTo(400);
        assertThat(post("old 0\n" + note(5))).isEqualTo(400);
        assertThat(post("old 6\n\n" + note(5))).isEqualTo(400);
        assertThat(post("old 0\n" + (LEAVES.getFirst() + "\n").repeat(64) + "\n" + note(5)))
                .isEqualTo(400);
        assertThat(post("old 0\n\n" + LOG.sign(new Checkpoint("other", 5, LEAVES.getFirst()), NOW)))
                .isEqualTo(404);
        assertThat(post("old 0\n\n" + stranger.sign(tree5(), NOW))).isEqualTo(403);
        assertThat(post("old 3\n\n" + note(5))).isEqualTo(409);
        assertThat(post("old 0\n\n" + LOG.sign(zero, NOW))).isEqualTo(422);
        assertThat(post("old 0\n" + LEAVES.getFirst() + "\n\n" + note(5))).isEqualTo(422);
        assertThat(post("old 0\n\n" + note(5))).isEqualTo(200);
        assertThat(post("old 5\n\n" + LOG.sign(new Checkpoint(ORIGIN, 5, LEAVES.getFirst()), NOW)))
                .isEqualTo(422);
    }

    @Test
    void cosignsOneOfManyAtOnceAndNeverGoesBack() throws Exception {
        client().cosign(note(1), tree(1));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = IntStream.range(2, 40)
                    .mapToObj(size -> threads.submit(() -> {
                        var body =
                                new AddCheckpoint(1, tree(size).consistency(1).hashes(), note(size));
                        return post(body.encode());
                    }))
                    .toList();
            var cosigned = 0;
            for (var answer : answers) {
                cosigned += answer.get() == 200 ? 1 : 0;
            }
            assertThat(cosigned).isEqualTo(1);
        }
    }

    @Test
    void clientRefusesCosignaturesOfAnotherWitness() throws Exception {
        var other = NoteSigner.generate("w.example", SignatureType.ED25519_COSIGNATURE);
        var client = new WitnessClient(http, prefix(), List.of(other.verifier()), Duration.ofSeconds(10));
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> client.cosign(note(5), tree(5)));
    }

    private WitnessClient client() {
        var keys = WITNESS.stream().map(NoteSigner::verifier).toList();
        return new WitnessClient(http, prefix(), keys, Duration.ofSeconds(10));
    }

    private URI prefix() {
        return URI.create("http://127.0.0.1:" + server.port() + "/");
    }

    private int post(String body) throws Exception {
        var request = HttpRequest.newBuilder(prefix().resolve("/add-checkpoint"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    private byte[] get(String path) throws Exception {
        var request = HttpRequest.newBuilder(prefix().resolve(path)).build();
        return http.send(request, BodyHandlers.ofByteArray()).body();
    }

    private static Checkpoint tree5() {
        return new Checkpoint(ORIGIN, 5, tree(5).root());
    }

    private static SignedNote note(int size) {
        return LOG.sign(new Checkpoint(ORIGIN, size, tree(size).root()), NOW);
    }

    private static MerkleTree tree(int size) {
        return MerkleTree.ofLeaves(LEAVES.subList(0, size));
    }
}
