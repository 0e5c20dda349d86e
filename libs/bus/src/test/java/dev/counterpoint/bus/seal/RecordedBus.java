package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.ProvenMessage;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// All that a suite writes on the bus for two responses, a record of each kind at least, and the readers of all
/// topics.
final class RecordedBus {
    private static final String MODEL = "model";
    private static final byte[] SEALED =
            TestKeys.of(ServiceRole.GATEWAY).sealFor(ServiceRole.AUDIT, new byte[] {1}, "terms");
    private static final long NOW = System.currentTimeMillis();

    private final Map<ResponseId, WrittenLog> logs = Map.of(
            WrittenLog.RESPONSE,
            new WrittenLog(WrittenLog.RESPONSE, 1),
            WrittenLog.OTHER,
            new WrittenLog(WrittenLog.OTHER, 2));
    private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    /// What the records say.
    private final Set<String> said;

    RecordedBus() {
        logs.forEach(this::write);
        Arrays.stream(ServiceRole.values()).forEach(this::writeBeats);
        said = records.stream().map(this::read).collect(Collectors.toUnmodifiableSet());
    }

    List<ConsumerRecord<String, byte[]>> records() {
        return records;
    }

    private void write(ResponseId id, WrittenLog log) {
        log.whole().forEach(this::add);
        add(log.ownerEnd());
        var ticket = new JobTicket(id, 7, 1, WrittenLog.TENANT, Set.of(), 60_000, 0, 1, null, false, UnknownFields.NONE)
                .encode();
        var inbox = Topic.inboxName(MODEL);
        add(inbox, 0, id, signed(SignedRecord.JOB_TICKET, inbox, ticket));
        add(Topic.CONTROL, 0, id, signed(SignedRecord.STOP_COMMAND, Topic.CONTROL, new StopCommand(id, 2).encode()));
        var fence = log.fence().encode();
        for (var body : List.of(
                new TraceRecord.Whole(SEALED),
                new TraceRecord.Partial(OwnerEnd.Reason.EXPIRED, 2_000, false, List.of(fence)))) {
            var trace = new TraceRecord(id, WrittenLog.TENANT, "key", MODEL, 1_000, SEALED, body);
            add(Topic.AUDIT, 3, id, signed(SignedRecord.of(trace), Topic.AUDIT, trace.encode()));
        }
        var summarizer = TestKeys.of(ServiceRole.SUMMARIZER);
        var draft = DraftRequest.seal(id, MODEL, NOW, new DraftTask("", "", "{}", 1), summarizer);
        var request = draft.record(0, summarizer);
        records.add(new ConsumerRecord<>(request.topic(), 0, records.size(), request.key(), request.value()));
        var worker = TestKeys.of(ServiceRole.WORKER);
        for (var answer : List.of(DraftAnswer.written(draft, "{}", 1, 1, worker), DraftAnswer.failed(draft, 0, 0))) {
            add(Topic.DRAFT_ANSWERS, 0, id, answer.signed(worker));
        }
        var report = new SuspectReport(
                id, "key", WrittenLog.TENANT, MODEL, 1, 2_000, SuspectReport.Finding.WORKER_DIED, false, "worker-1");
        add(Topic.SUSPECTS, 0, id, signed(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, report.encode()));
        var entry = new AccessEntry(
                "entry-" + id.low(), 1_000, "key", WrittenLog.TENANT, id.toString(), AccessEntry.Action.values()[1]);
        add(Topic.ACCESS_LOG, 1, id, signed(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode()));
    }

    private void writeBeats(ServiceRole role) {
        var sender = role.wireName() + "-1";
        var model = role == ServiceRole.WORKER ? new Heartbeat.Model(MODEL, "", 1_000, 1, 1, List.of()) : null;
        var signer = new BeatSigner(sender, TestKeys.of(role));
        boolean named = role != ServiceRole.WORKER && role != ServiceRole.GATEWAY;
        var beat = new Heartbeat(sender, model, NOW, named ? role : null, 0);
        records.add(new ConsumerRecord<>(Topic.MODELS, 0, 0, sender, signer.prove(beat)));
    }

    private void add(Frame frame) {
        var record = frame.record();
        int partition = frame.response().partition();
        records.add(new ConsumerRecord<>(record.topic(), partition, records.size(), record.key(), record.value()));
    }

    private void add(String topic, int partition, ResponseId key, byte[] bytes) {
        records.add(new ConsumerRecord<>(topic, partition, records.size(), key.toString(), bytes));
    }

    private static byte[] signed(SignedRecord kind, String topic, byte[] content) {
        return TestKeys.of(kind.signer()).signatures().sign(kind, topic, content);
    }

    /// What kind of record it is.
    static String kind(ConsumerRecord<String, byte[]> record) {
        return record.topic().equals(Topic.FRAMES) ? Frame.decode(record).kind().name() : record.topic();
    }

    /// Whether one of the records says the same.
    boolean holds(String what) {
        return said.contains(what);
    }

    /// What a record says to whoever reads its topic.
    ///
    /// @throws SealException when it is void
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when it is void
    String read(ConsumerRecord<String, byte[]> record) {
        var topic = record.topic();
        return topic + " "
                + Base64.getEncoder()
                        .encodeToString(
                                switch (topic) {
                                    case Topic.FRAMES -> frame(Frame.decode(record));
                                    case Topic.CONTROL -> {
                                        var content = verified(ServiceRole.WORKER, SignedRecord.STOP_COMMAND, record);
                                        yield StopCommand.decode(content).encode();
                                    }
                                    case Topic.SUSPECTS -> {
                                        var content =
                                                verified(ServiceRole.GATEWAY, SignedRecord.SUSPECT_REPORT, record);
                                        yield SuspectReport.decode(content).encode();
                                    }
                                    case Topic.DRAFT_ANSWERS ->
                                        DraftAnswer.verified(
                                                        KafkaClients.body(record), TestKeys.of(ServiceRole.SUMMARIZER))
                                                .encode();
                                    case Topic.MODELS -> beat(record);
                                    case Topic.AUDIT -> {
                                        var trace = TraceRecord.decode(KafkaClients.body(record));
                                        yield verified(ServiceRole.AUDIT, SignedRecord.of(trace), record);
                                    }
                                    case Topic.ACCESS_LOG -> {
                                        var content = verified(ServiceRole.AUDIT, SignedRecord.ACCESS_ENTRY, record);
                                        yield AccessEntry.decode(content).encode();
                                    }
                                    default -> fromInbox(record);
                                });
    }

    private static byte[] fromInbox(ConsumerRecord<String, byte[]> record) {
        var worker = TestKeys.of(ServiceRole.WORKER);
        if (!DraftRequest.isMeantBy(record)) {
            return JobTicket.decode(verified(ServiceRole.WORKER, SignedRecord.JOB_TICKET, record))
                    .encode();
        }
        var request = DraftRequest.verified(KafkaClients.body(record), record.topic(), worker);
        assertThat(request.open(worker).schema()).isEqualTo("{}");
        return request.encode();
    }

    private static byte[] verified(ServiceRole reader, SignedRecord kind, ConsumerRecord<String, byte[]> record) {
        return TestKeys.of(reader).signatures().verified(kind, record.topic(), KafkaClients.body(record));
    }

    /// As a reader takes it that has read the log to where all of its keys are known.
    private byte[] frame(Frame frame) {
        var log = logs.get(frame.response());
        var keys = TestKeys.of(ServiceRole.GATEWAY);
        var trust = log == null ? null : LogTrust.of(log.accepted(), keys);
        boolean genuine = false;
        if (frame.kind() == FrameKind.ACCEPTED) {
            genuine = LogTrust.of(frame, keys) != null;
        } else if (log != null) {
            genuine = Objects.requireNonNull(trust).genuine(log.fence()) && trust.genuine(frame);
        }
        if (!genuine) {
            throw new SealException("a frame of nobody's");
        }
        return frame.content();
    }

    private static byte[] beat(ConsumerRecord<String, byte[]> record) {
        var bytes = KafkaClients.body(record);
        if (new BeatVerifier(TestKeys.of(ServiceRole.GATEWAY))
                .verify(bytes, NOW)
                .isEmpty()) {
            throw new SealException("a beat of nobody's");
        }
        return ProvenMessage.decode(bytes).content();
    }
}
