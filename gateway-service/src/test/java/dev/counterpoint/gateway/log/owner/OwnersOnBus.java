package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.testkit.TestKafka;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A gateway on a real broker with a real database, and a test that speaks as its workers and as other gateways.
abstract class OwnersOnBus {
    static final End END = new End(End.Finish.STOP, 10, 0, 5, 0, 0);
    static final int USED = 15;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /// Of the inboxes. Each worker that reads has one.
    private static final int PARTITIONS = 8;
    private static final String ECHO = """
            {"kind":"chat","model":"%s","raw_reasoning":false,"summary_due":false,"convention":false,
             "logprobs":false,"usage_in_stream":false}""".formatted(WorkerVoice.MODEL);

    @Inject
    PartitionTable table;

    @Inject
    PartitionOwnership first;

    @Inject
    KeyRing keys;

    @Inject
    @Any
    Instance<TurnRebuilder> apis;

    @Inject
    Generations generations;

    @Inject
    StoredResponses rows;

    final TestSuperuser database = new TestSuperuser();
    /// A name is announced once.
    final String spareWorker = "worker-spare-" + UUID.randomUUID();

    @ConfigProperty(name = "gateway.stream.keys-dir")
    Path keysDir;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    final String tenant = Api.newTenant("\"tokens_per_day\":1000000");

    @SuppressWarnings("NullAway.Init")
    KeyRing workerKeys;

    @SuppressWarnings("NullAway.Init")
    KafkaClients clients;

    @SuppressWarnings("NullAway.Init")
    BusLog log;

    @SuppressWarnings("NullAway.Init")
    BusWorker workers;

    @BeforeEach
    void connect() throws Exception {
        workerKeys = KeyRing.load(keysDir, ServiceRole.WORKER);
        clients = new KafkaClients(bootstrap, TestKafka.adminLogin());
        log = new BusLog(clients, keys);
        workers = new BusWorker(clients, keys, workerKeys);
        try (var admin = clients.admin()) {
            new Topics(admin).ensureInbox(WorkerVoice.MODEL, PARTITIONS);
        }
        workers.reads(spareWorker, 0);
        await("the gateway owns partitions", () -> !firstOwns().isEmpty());
    }

    @AfterEach
    void close() {
        workers.close();
    }

    SecondGateway.Turns turns() {
        return new SecondGateway.Turns(apis, rows, generations);
    }

    Set<Integer> firstOwns() {
        return first.loop().map(loop -> Set.copyOf(loop.ready())).orElse(Set.of());
    }

    /// A response as a gateway accepted it: its row and its frame 0, and no job.
    ResponseId accepted(int partition, Kind kind) throws Exception {
        var id = ResponseId.create(System.currentTimeMillis(), partition);
        if (kind.stored) {
            var now = Instant.now();
            rows.restore(new StoredResponses.NewRow(
                    row(id),
                    GatewayDatabase.defaultProject(tenant),
                    "key-1",
                    now,
                    WorkerVoice.MODEL,
                    kind.background,
                    true,
                    null,
                    "[]",
                    now.plusSeconds(3_600),
                    null,
                    null));
        }
        var nothing = new byte[0];
        long deadline = id.acceptedAtMillis() + (kind == Kind.EXPIRED ? -1 : 600_000);
        var echo = keys.sealFor(ServiceRole.GATEWAY, ECHO.getBytes(StandardCharsets.UTF_8), Submission.echoContext(id));
        var accepted = new Accepted(
                tenant,
                "key-1",
                WorkerVoice.MODEL,
                id.acceptedAtMillis(),
                deadline,
                EnumSet.noneOf(ServiceRole.class),
                kind.background,
                kind.stored,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(echo, nothing, nothing, nothing),
                "gateway-gone",
                1);
        workers.says(WorkerVoice.frame(id, accepted));
        return id;
    }

    /// What kinds of responses a gateway leaves behind.
    enum Kind {
        BACKGROUND(true, true),
        EXPIRED(true, true),
        /// For a client that is gone, and nothing is kept.
        FOREGROUND(false, false);

        private final boolean background;
        private final boolean stored;

        Kind(boolean background, boolean stored) {
            this.background = background;
            this.stored = stored;
        }
    }

    static String row(ResponseId id) {
        return "chatcmpl-" + id;
    }

    WorkerVoice voice(ResponseId id, int attempt) {
        var voice = new WorkerVoice(id, tenant, attempt, id.low() ^ attempt);
        workers.lives(voice.worker());
        return voice;
    }

    String status(String row) {
        return rows.find(row, GatewayDatabase.defaultProject(tenant))
                .orElseThrow()
                .status();
    }

    long charged() {
        return QuarkusTransaction.requiringNew()
                .call(() -> database.createNativeQuery("""
                                select cast(coalesce(sum(used), 0) as bigint) from (
                                    select day_tokens as used from quota where subject = :tenant
                                    union all
                                    select tokens from quota_due where tenant_id = :tenant) counted""", Long.class)
                        .setParameter("tenant", tenant)
                        .getSingleResult());
    }

    void update(String statement) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(statement).executeUpdate());
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
