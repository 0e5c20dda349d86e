package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.RecordMutator;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.canary.CanaryStaff;
import dev.counterpoint.local.canary.OptedInTenant;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// H1, H2 and H4 on the suite as `up` starts it: an attacker has the login of one service after the other and the
/// signing keys of all roles but the one that a record wants, and appends what it likes while answers are under way.
/// The broker refuses it, or it is void for every service.
@ExtendWith(WholeSuite.class)
@Order(Integer.MAX_VALUE)
@Timeout(600)
class BusAttackerIT {
    /// What becomes of each forgery, by whose login the attacker has; `guessed` is one with a wrong password.
    private static final String OUTCOMES = """
            forgery                                   | nobody  | guessed | gateway | worker  | summarizer | audit
            frame 0 that nobody asked for             | refused | refused | void    | void    | void    | refused
            second frame 0 with more readers          | refused | refused | void    | void    | void    | refused
            fence with keys for gateways              | refused | refused | void    | void    | void    | refused
            malformed fence                           | refused | refused | void    | void    | void    | refused
            reissue                                   | refused | refused | void    | void    | void    | refused
            owner's end                               | refused | refused | void    | void    | void    | refused
            summary abandoned                         | refused | refused | void    | void    | void    | refused
            summary end                               | refused | refused | void    | void    | void    | refused
            token                                     | refused | refused | void    | void    | void    | refused
            token far ahead                           | refused | refused | void    | void    | void    | refused
            sealed reasoning                          | refused | refused | void    | void    | void    | refused
            end                                       | refused | refused | void    | void    | void    | refused
            progress                                  | refused | refused | void    | void    | void    | refused
            handover                                  | refused | refused | void    | void    | void    | refused
            summary sentence                          | refused | refused | void    | void    | void    | refused
            token of another response, renamed        | refused | refused | void    | void    | void    | refused
            decision of another tenant, renamed       | refused | refused | void    | void    | void    | refused
            frame of another response, under this key | refused | refused | void    | void    | void    | refused
            token again                               | refused | refused | void    | void    | void    | refused
            trace among frames                        | refused | refused | void    | void    | void    | refused
            noise among frames                        | refused | refused | void    | void    | void    | refused
            ticket with a reader of its own           | refused | refused | void    | refused | void    | refused
            ticket of a summary, by the summarizer    | refused | refused | void    | refused | void    | refused
            ticket again                              | refused | refused | void    | refused | void    | refused
            stop command                              | refused | refused | void    | refused | refused | refused
            ticket as a stop command                  | refused | refused | void    | refused | refused | refused
            beat of an invented model                 | refused | refused | void    | void    | void    | void
            beat of before                            | refused | refused | void    | void    | void    | void
            farewell of a worker                      | refused | refused | void    | void    | void    | void
            tombstone of a worker                     | refused | refused | void    | void    | void    | void
            20,000 beats of models                    | refused | refused | void    | void    | void    | void
            empty partial trace                       | refused | refused | void    | void    | refused | refused
            whole trace                               | refused | refused | void    | void    | refused | refused
            trace of another response, renamed        | refused | refused | void    | void    | refused | refused
            trace again                               | refused | refused | void    | void    | refused | refused
            access entry                              | refused | refused | void    | refused | refused | refused
            access entry that nobody signed           | refused | refused | void    | refused | refused | refused
            trace as an access entry                  | refused | refused | void    | refused | refused | refused
            access entry again                        | refused | refused | void    | refused | refused | refused
            suspect report                            | refused | refused | void    | refused | refused    | refused
            tombstone of an erasure                   | refused | refused | refused | refused | refused | void
            erasure                                   | refused | refused | refused | refused | refused | void
            order to erase, by a worker               | refused | refused | refused | refused | refused | void
            checkpoint                                | refused | refused | refused | refused | refused | void
            checkpoint again                          | refused | refused | refused | refused | refused | void
            """;

    private static final String REFUSED = "counterpoint_bus_refused_total";
    private static final int MUTATIONS = Integer.getInteger("scale", 1) > 1 ? 20_000 : 300;
    private static final int FRAMES_RECORDED = 150;
    private static final int OTHERS_RECORDED = 2;
    private static final long SEED = 20_261_123;

    private static final String RAW = "\"reasoning:summary\",\"reasoning:raw\"";
    private static final String KEPT = ",\"reasoning_encrypt\":true";
    private static final String SUMMARY = ",\"reasoning\":{\"summary\":\"auto\"}";
    private static final String SEALED = ",\"include\":[\"reasoning.encrypted_content\"],\"service_tier\":\"priority\"";
    private static final String CHAT = ",\"reasoning\":\"summary\",\"service_tier\":\"flex\"";

    private static LaunchedSuite suite;
    private static OptedInTenant tenant;
    private static BusTap bus;
    private static SuiteMetrics metrics;
    private static double calmRefusals;
    private static final AtomicInteger TURN = new AtomicInteger();
    private static final Map<String, AttackedCaller> CALLERS = new LinkedHashMap<>();
    private static final Map<String, AttackedCaller.Heard> CALM = new HashMap<>();
    /// By forgery, and by who appends it.
    private static final Map<String, Map<String, String>> OBSERVED = new LinkedHashMap<>();

    @BeforeAll
    static void attack() throws Exception {
        suite = WholeSuite.suite();
        bus = new BusTap(suite.kafka());
        metrics = new SuiteMetrics(suite.services());
        callers();
        CALLERS.forEach((name, caller) -> CALM.put(name, caller.ask()));
        leave();
        Eventually.until(BusAttackerIT::recordsOfAllKinds, Boolean::booleanValue);
        calmRefusals = metrics.ofAll(REFUSED);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = CALLERS.values().stream().map(threads::submit).toList();
            try {
                for (var login : logins()) {
                    attack(login);
                }
                mutate();
            } finally {
                CALLERS.values().forEach(AttackedCaller::leave);
            }
            for (var caller : running) {
                caller.get();
            }
        }
    }

    @AfterAll
    static void stop() {
        bus.close();
    }

    /// A caller that leaves: its response is cancelled, and its worker told to stop.
    private static void leave() throws IOException {
        var caller = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        try (var answer = caller.open(
                "/v1/responses",
                "{\"model\":\"%s\",\"input\":\"Count from 1 to 900.\",\"stream\":true}"
                        .formatted(RunningSuite.MODEL))) {
            assertThat(answer.read()).isNotNegative();
        }
    }

    private static boolean recordsOfAllKinds() {
        return Stream.of(Topic.AUDIT, Topic.AUDIT_LOG, Topic.ACCESS_LOG, Topic.CONTROL)
                .allMatch(topic -> bus.count(topic) > 0);
    }

    private static void callers() {
        tenant = OptedInTenant.create(suite);
        var raw = new ApiClient(suite.gateway(), tenant.key(RAW).secret());
        var summary = new ApiClient(
                suite.gateway(), tenant.key("\"reasoning:summary\"").secret());
        var other = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        CALLERS.put("raw, kept", AttackedCaller.ofResponses(raw, KEPT));
        CALLERS.put("summary, kept", AttackedCaller.ofResponses(summary, KEPT + SUMMARY));
        CALLERS.put("chat", AttackedCaller.ofChat(other, CHAT));
        CALLERS.put("sealed", AttackedCaller.ofResponses(other, SEALED));
    }

    /// The login of each service, none, and a wrong one.
    private static List<BusAttacker.Login> logins() {
        var broker = suite.addresses().get("kafka");
        var guessed = new HashMap<>(login(ServiceRole.GATEWAY).clients().login());
        guessed.computeIfPresent(
                "sasl.jaas.config", (_, login) -> login.replaceFirst("password=\"[^\"]*\"", "password=\"guessed\""));
        var outsiders = Stream.of(
                new BusAttacker.Login("nobody", new KafkaClients(broker, Map.of()), false),
                new BusAttacker.Login("guessed", new KafkaClients(broker, guessed), false));
        return Stream.concat(outsiders, Arrays.stream(ServiceRole.values()).map(BusAttackerIT::login))
                .toList();
    }

    private static BusAttacker.Login login(ServiceRole role) {
        var clients = BusAccount.clients(suite.addresses().get("kafka"), keys(), role);
        return new BusAttacker.Login(role.wireName(), clients, true);
    }

    /// One forgery after the other, so that what a service counts is known to be of it. Who is not let in waits for
    /// each.
    private static void attack(BusAttacker.Login login) throws Exception {
        var forgeries = Stream.concat(new FrameForgeries(bus, keys()).all(), new RecordForgeries(bus, keys()).all())
                .toList();
        long begun = System.nanoTime();
        try (var attacker = new BusAttacker(login, bus, metrics);
                var threads = Executors.newFixedThreadPool(login.letIn() ? 1 : forgeries.size())) {
            var outcomes = new LinkedHashMap<String, Future<String>>();
            forgeries.forEach(forgery -> outcomes.put(
                    forgery.name(), threads.submit(() -> attacker.outcome(forgery, BusAttackerIT::current))));
            for (var outcome : outcomes.entrySet()) {
                OBSERVED.computeIfAbsent(outcome.getKey(), _ -> new LinkedHashMap<>())
                        .put(login.name(), outcome.getValue().get());
            }
        }
        System.out.printf("attacker: %s took %.1f s%n", login.name(), (System.nanoTime() - begun) / 1e9);
    }

    /// Appends what can be made of all that the suite wrote, with the login that may write on most topics.
    private static void mutate() throws Exception {
        var recorded = bus.topics().stream()
                .flatMap(topic ->
                        bus.newest(topic, topic.equals(Topic.FRAMES) ? FRAMES_RECORDED : OTHERS_RECORDED).stream())
                .toList();
        var mutator = new RecordMutator(SEED, recorded);
        var records = Stream.generate(() -> mutator.next().record())
                .filter(BusAttackerIT::isTaken)
                .limit(MUTATIONS)
                .map(record -> new ProducerRecord<>(
                        record.topic(), record.partition(), record.key(), record.value(), record.headers()))
                .toList();
        long begun = System.nanoTime();
        double before = metrics.ofAll(REFUSED);
        try (var attacker = new BusAttacker(login(ServiceRole.GATEWAY), bus, metrics)) {
            attacker.append("mutation", records);
        }
        for (var caller : CALLERS.values()) {
            int heard = caller.heard().size();
            Eventually.until(() -> caller.heard().size(), count -> count > heard + 1);
        }
        System.out.printf(
                "attacker: %d mutations of %d records took %.1f s, %.0f times refused%n",
                MUTATIONS, recorded.size(), (System.nanoTime() - begun) / 1e9, metrics.ofAll(REFUSED) - before);
    }

    /// The broker itself refuses what a gateway may not write, and a record without a key for a compacted topic, and
    /// with it all others of the batch.
    private static boolean isTaken(ConsumerRecord<String, byte[]> record) {
        return !record.topic().equals(Topic.AUDIT_LOG)
                && !record.topic().equals(Topic.ERASURES)
                && (record.key() != null || !record.topic().equals(Topic.MODELS));
    }

    private static Path keys() {
        return suite.folder().resolve("secrets/sealing");
    }

    /// The answers take turns.
    private static Optional<ResponseId> current() {
        var callers = List.copyOf(CALLERS.values());
        return callers.get(TURN.getAndIncrement() % callers.size()).current();
    }

    @Test
    void h1H2H4EachForgeryIsRefusedByTheBrokerOrVoid() {
        assertThat(table(OBSERVED)).isEqualTo(table(expected()));
    }

    @Test
    void inCalmNothingIsRefused() {
        assertThat(calmRefusals).isZero();
    }

    @Test
    void everyAnswerUnderWayIsRightAndComplete() {
        CALM.values().forEach(calm -> {
            assertThat(calm.endings()).hasSize(1);
            assertThat(calm.answer()).contains("39");
        });
        assertThat(CALM.get("raw, kept").reasoning()).isNotBlank();
        assertThat(CALM.get("summary, kept").reasoning()).isNotBlank();
        assertThat(CALM.get("chat").reasoning()).isNotBlank();
        assertThat(CALM.get("sealed").sealed()).isTrue();
        CALLERS.forEach((name, caller) -> {
            System.out.printf(
                    "attacker: %s heard %d answers%n", name, caller.heard().size());
            assertThat(caller.heard()).as(name).isNotEmpty().containsOnly(CALM.get(name));
        });
    }

    @Test
    void h1NoReaderGetsAKeyToReasoningThatNoGatewaySignedFor() {
        assertThat(bus.logs()).allSatisfy((id, log) -> {
            var readers = Accepted.decode(log.getFirst().body()).rawReaders();
            log.stream().filter(frame -> frame.kind() == FrameKind.FENCE).forEach(fence -> {
                var keys = EnumSet.copyOf(Fence.decode(fence.body()).reasoning().keySet());
                keys.removeAll(Set.of(ServiceRole.WORKER, ServiceRole.SUMMARIZER));
                assertThat(keys).as("%s", fence).isEqualTo(readers);
            });
        });
    }

    @Test
    void h2TheAuditHasTheWholeReasoningOfEveryAnswerThatIsKeptAndNothingElse() {
        var staff = new CanaryStaff(suite);
        var auditor = new ApiClient(
                URI.create(suite.export("COUNTERPOINT_AUDIT_URL")), suite.export("COUNTERPOINT_COMPLIANCE_TOKEN"));
        var kept = Stream.of("raw, kept", "summary, kept")
                .flatMap(name -> CALLERS.get(name).bareIds().stream())
                .toList();
        for (var id : kept) {
            assertThat(staff.awaitRecords(id)).as(id).hasSize(1);
            var read = auditor.post("/audit/v1/records/" + id + "/read", "{\"case_id\":\"C-1\",\"reason\":\"a test\"}")
                    .body();
            assertThat(read.path("record").path("partial").asBoolean()).as(id).isFalse();
            assertThat(String.join("", read.path("segments").findValuesAsText("text")))
                    .as(id)
                    .isEqualTo(CALM.get("raw, kept").reasoning());
        }
        assertThat(staff.all())
                .filteredOn(record -> record.path("tenant").asText().equals(tenant.id()))
                .extracting(record -> record.path("response").asText())
                .containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void h4ARunningAuditServiceRefusesForgedAccessEntriesAndHasAllGenuineOnes() throws Exception {
        var auditor = new ApiClient(
                URI.create(suite.export("COUNTERPOINT_AUDIT_URL")), suite.export("COUNTERPOINT_COMPLIANCE_TOKEN"));
        for (var id : CALLERS.get("raw, kept").bareIds()) {
            Eventually.until(
                    () -> auditor.get("/audit/v1/access-log?action=raw_reasoning_shown&response=" + id)
                            .body()
                            .path("data")
                            .size(),
                    entries -> entries == 1);
        }

        var forged = auditor.get("/audit/v1/access-log?actor=" + RecordForgeries.ACTOR);

        assertThat(forged.status()).isEqualTo(200);
        assertThat(forged.body().path("data")).isEmpty();
    }

    @Test
    void h4OnlyModelsThatAreServedAreOffered() {
        var models = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY")).get("/v1/models");

        assertThat(models.status()).isEqualTo(200);
        assertThat(models.body().path("data"))
                .extracting(model -> model.path("id").asText())
                .containsExactly(RunningSuite.MODEL);
    }

    private static Map<String, Map<String, String>> expected() {
        var rows = OUTCOMES.lines().map(line -> line.split("\\s*\\|\\s*")).toList();
        var logins = rows.getFirst();
        var expected = new LinkedHashMap<String, Map<String, String>>();
        for (var row : rows.subList(1, rows.size())) {
            var outcomes = new LinkedHashMap<String, String>();
            for (int at = 1; at < row.length; at++) {
                outcomes.put(logins[at], row[at].strip());
            }
            expected.put(row[0], outcomes);
        }
        return expected;
    }

    /// A line for each forgery, so that a difference shows where it is.
    private static String table(Map<String, Map<String, String>> outcomes) {
        return outcomes.entrySet().stream()
                .map(row -> "%-42s%s".formatted(row.getKey(), row.getValue()))
                .collect(Collectors.joining("\n"));
    }
}
