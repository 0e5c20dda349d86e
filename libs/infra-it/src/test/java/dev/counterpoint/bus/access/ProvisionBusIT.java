package dev.counterpoint.bus.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.testkit.TestKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// H1, H2 and H4, the first layer: who has no account is not let in, and an account does what its service does.
class ProvisionBusIT {
    private static final String JOBS = Topic.inboxName("model");
    private static final Map<ServiceRole, Set<String>> WRITES = Map.of(
            ServiceRole.GATEWAY,
            Set.of(Topic.FRAMES, Topic.CONTROL, Topic.MODELS, Topic.AUDIT, Topic.ACCESS_LOG, Topic.SUSPECTS, JOBS),
            ServiceRole.WORKER,
            Set.of(Topic.FRAMES, Topic.MODELS, Topic.AUDIT, Topic.DRAFT_ANSWERS),
            ServiceRole.SUMMARIZER,
            Set.of(Topic.FRAMES, Topic.MODELS, JOBS),
            ServiceRole.AUDIT,
            Set.of(Topic.MODELS, Topic.ERASURES, Topic.AUDIT_LOG));
    private static final Map<ServiceRole, Set<String>> READS = Map.of(
            ServiceRole.GATEWAY,
            Set.of(Topic.FRAMES, Topic.MODELS, Topic.SUSPECTS, Topic.AUDIT_LOG),
            ServiceRole.WORKER,
            Set.of(Topic.FRAMES, Topic.CONTROL, JOBS),
            ServiceRole.SUMMARIZER,
            Set.of(Topic.FRAMES, Topic.MODELS, Topic.DRAFT_ANSWERS),
            ServiceRole.AUDIT,
            Set.of(Topic.AUDIT, Topic.ERASURES, Topic.AUDIT_LOG, Topic.ACCESS_LOG));
    private static final List<String> TOPICS = List.of(
            Topic.FRAMES,
            Topic.CONTROL,
            Topic.MODELS,
            Topic.AUDIT,
            Topic.ERASURES,
            Topic.AUDIT_LOG,
            Topic.ACCESS_LOG,
            Topic.SUSPECTS,
            Topic.DRAFT_ANSWERS,
            JOBS,
            "somebody-elses");

    /// Kafka's default lets a client that is refused ask for a minute, and its `close` waits for that.
    private static final Map<String, String> STRANGER =
            Map.of("default.api.timeout.ms", "3000", "request.timeout.ms", "2000");

    @TempDir
    static Path keys;

    private static final TestKafka KAFKA = TestKafka.start();

    @BeforeAll
    static void provision() throws Exception {
        ProvisionBus.accounts(keys);
        var administrator = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
        ProvisionBus.apply(administrator, keys);
        try (var admin = administrator.admin();
                var producer = administrator.promptProducer()) {
            var topics = new Topics(admin);
            topics.ensureShared(1);
            topics.ensureInbox("model", 1);
            admin.createTopics(List.of(new NewTopic("somebody-elses", 1, (short) 1)))
                    .all()
                    .get();
            for (var topic : TOPICS) {
                producer.send(new ProducerRecord<>(topic, 0, "key", "value".getBytes(UTF_8)))
                        .get();
            }
        }
    }

    @AfterAll
    static void stop() {
        KAFKA.close();
    }

    @Test
    void aCopyOfTheErasuresBringsBackWhatTheBusLacks() {
        // Given
        var administrator = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
        var one = "one " + Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
        var two = "two " + Base64.getEncoder().encodeToString(new byte[] {4});
        // When
        assertThat(ErasureCopy.replay(administrator, Stream.of(one))).containsExactly("one");
        assertThat(ErasureCopy.replay(administrator, Stream.of(one, two))).containsExactly("two");
        // Then
        assertThat(ErasureCopy.lines(administrator)).containsSubsequence(one, two);
        assertThat(ErasureCopy.replay(administrator, Stream.of(one, two))).isEmpty();
        assertThatThrownBy(() -> ErasureCopy.replay(administrator, Stream.of("not a line")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static KafkaClients clients(ServiceRole role) {
        return BusAccount.clients(KAFKA.bootstrapServers(), keys, role);
    }

    @ParameterizedTest
    @EnumSource
    void aServiceWritesWhereItsWorkIsAndNowhereElse(ServiceRole role) {
        try (var producer = clients(role).promptProducer()) {
            for (var topic : TOPICS) {
                var record = new ProducerRecord<>(topic, "key", "value".getBytes(UTF_8));
                if (WRITES.getOrDefault(role, Set.of()).contains(topic)) {
                    assertThatCode(() -> producer.send(record).get()).as(topic).doesNotThrowAnyException();
                } else {
                    assertThatThrownBy(() -> producer.send(record).get())
                            .as(topic)
                            .hasCauseInstanceOf(AuthorizationException.class);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServiceReadsWhereItsWorkIsAndNowhereElse(ServiceRole role) {
        for (var topic : TOPICS) {
            try (var reader = clients(role).reader()) {
                var partition = new TopicPartition(topic, 0);
                reader.assign(List.of(partition));
                reader.seek(partition, 0);
                if (READS.getOrDefault(role, Set.of()).contains(topic)) {
                    assertThat(reader.poll(Duration.ofSeconds(20))).as(topic).isNotEmpty();
                } else {
                    assertThatThrownBy(() -> reader.poll(Duration.ofSeconds(20)))
                            .as(topic)
                            .isInstanceOf(AuthorizationException.class);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noServiceDeletesATopicOrMakesAnAccount(ServiceRole role) {
        try (var admin = clients(role).admin()) {
            assertThatThrownBy(() ->
                            admin.deleteTopics(List.of(Topic.FRAMES)).all().get())
                    .hasCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() -> admin.createAcls(AccessRules.of(role, "counterpoint-thief"))
                            .all()
                            .get())
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServiceMakesTheTopicsThatItNeeds(ServiceRole role) {
        try (var admin = clients(role).admin()) {
            assertThatCode(() -> new Topics(admin).ensureShared(1)).doesNotThrowAnyException();
        }
    }

    @Test
    void aWorkerMakesTheInboxesOfItsModelAndJoinsTheirGroup() {
        try (var admin = clients(ServiceRole.WORKER).admin();
                var worker = clients(ServiceRole.WORKER).inboxReader("workers.another")) {
            var topics = new Topics(admin);
            assertThat(topics.ensureInbox("another", 1)).isEqualTo("jobs.another");
            assertThat(topics.ensureInbox("another", 2)).isEqualTo("jobs.another");
            worker.subscribe(List.of("jobs.another"));
            assertThatCode(() -> worker.poll(Duration.ofSeconds(2))).doesNotThrowAnyException();
        }
    }

    @Test
    void nobodyComesInWithoutAnAccountOrWithAnOldPassword() throws Exception {
        try (var stranger = new KafkaClients(KAFKA.bootstrapServers(), STRANGER).admin()) {
            assertThatThrownBy(() -> stranger.describeCluster().clusterId().get(5, TimeUnit.SECONDS));
        }
        var old = clients(ServiceRole.AUDIT);
        Files.delete(BusAccount.file(keys, ServiceRole.AUDIT));
        ProvisionBus.accounts(keys);
        ProvisionBus.apply(new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin()), keys);
        try (var former = old.admin();
                var now = clients(ServiceRole.AUDIT).admin()) {
            assertThatThrownBy(() -> former.listTopics().names().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(AuthenticationException.class);
            assertThat(now.listTopics().names().get()).contains(Topic.AUDIT).doesNotContain("somebody-elses");
        }
    }

    @Test
    void aRotatedLoginIsInForceBesideTheOldOneUntilThatIsRetired(@TempDir Path rotated) throws Exception {
        // Given
        var administrator = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
        for (var role : ServiceRole.values()) {
            Files.copy(BusAccount.file(keys, role), BusAccount.file(rotated, role));
        }
        // When
        ProvisionBus.rotate(rotated);
        ProvisionBus.apply(administrator, rotated);
        // Then
        for (var role : ServiceRole.values()) {
            for (var folder : List.of(keys, rotated)) {
                assertComesIn(folder, role);
            }
        }
        // When: twice, as after an interruption
        ProvisionBus.retire(administrator, rotated);
        ProvisionBus.retire(administrator, rotated);
        // Then
        for (var role : ServiceRole.values()) {
            assertComesIn(rotated, role);
            try (var old = clients(role).admin()) {
                assertThatThrownBy(() -> old.listTopics().names().get())
                        .hasCauseInstanceOf(AuthenticationException.class);
            }
        }
        // And the next rotation goes back to the first mechanism; the other tests' logins are in force again
        ProvisionBus.rotate(rotated);
        assertThat(BusAccount.of(rotated, ServiceRole.WORKER).mechanism())
                .isEqualTo(BusAccount.of(keys, ServiceRole.WORKER).mechanism());
        ProvisionBus.apply(administrator, keys);
    }

    private static void assertComesIn(Path folder, ServiceRole role) throws Exception {
        try (var admin =
                BusAccount.clients(KAFKA.bootstrapServers(), folder, role).admin()) {
            assertThat(admin.listTopics().names().get()).isNotEmpty();
        }
    }

    @Test
    void rulesThatAreNotOursAnyMoreGo() throws Exception {
        var administrator = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
        try (var admin = administrator.admin()) {
            var account = BusAccount.of(keys, ServiceRole.SUMMARIZER);
            admin.createAcls(AccessRules.of(ServiceRole.GATEWAY, account.name()))
                    .all()
                    .get();
            // When
            ProvisionBus.apply(administrator, keys);
            // Then
            var there = Set.copyOf(
                    admin.describeAcls(ProvisionBus.rulesOf(account)).values().get());
            assertThat(there).isEqualTo(AccessRules.of(ServiceRole.SUMMARIZER, account.name()));
        }
    }
}
