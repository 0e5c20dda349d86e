package dev.counterpoint.audit;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.testkit.TestKafka;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/// Speaks to the audit service as gateways and workers do.
public final class TestBus implements AutoCloseable {
    public static final String MODEL = "gpt-oss-20b";
    public static final String SUMMARY = "It looked the weather up.";
    private static final long NONCE = 7;

    private final KeyRing worker;
    private final KeyRing gateway;
    private final KafkaProducer<String, byte[]> producer;

    public TestBus(Path keys, String bootstrap) {
        worker = KeyRing.load(keys, ServiceRole.WORKER);
        gateway = KeyRing.load(keys, ServiceRole.GATEWAY);
        producer = new KafkaClients(bootstrap, TestKafka.adminLogin()).promptProducer();
    }

    /// The bus of the service under test.
    public static TestBus ofTest() {
        var config = ConfigProvider.getConfig();
        return new TestBus(
                config.getValue("audit.keys-dir", Path.class),
                config.getValue("kafka.bootstrap.servers", String.class));
    }

    /// An opted-in response.
    ///
    /// @param user as the request names it; may be empty
    public record Asked(ResponseId id, String tenant, String key, String user) {
        public static Asked of(String tenant, String user) {
            return new Asked(ResponseId.create(System.currentTimeMillis(), 3), tenant, "key_1", user);
        }
    }

    public TraceRecord whole(Asked asked, String... reasoning) {
        var segments = new java.util.ArrayList<Trace.Segment>();
        for (var text : reasoning) {
            segments.add(new Trace.Segment(segments.size(), "analysis", null, text));
        }
        var trace = new Trace(End.Finish.STOP, 70, 30, 20, asked.id.acceptedAtMillis() + 900, segments);
        var sealed = worker.sealFor(ServiceRole.AUDIT, trace.encode(), Trace.context(asked.tenant, asked.id));
        return record(asked, new TraceRecord.Whole(sealed));
    }

    public TraceRecord partial(Asked asked, OwnerEnd.Reason reason, boolean cut, List<byte[]> frames) {
        return record(asked, new TraceRecord.Partial(reason, asked.id.acceptedAtMillis() + 500, cut, frames));
    }

    private TraceRecord record(Asked asked, TraceRecord.Body body) {
        return new TraceRecord(
                asked.id, asked.tenant, asked.key, MODEL, asked.id.acceptedAtMillis(), terms(asked), body);
    }

    private byte[] terms(Asked asked) {
        var terms = new AuditTerms("optin_1", asked.user, "conv_1");
        return worker.sealer(2).sealFor(ServiceRole.AUDIT, terms.encode(), AuditTerms.context(asked.tenant, asked.id));
    }

    /// The frames of one attempt that thinks in these pieces; odd attempts write in the second format.
    ///
    /// @param readers who may open its reasoning beside workers and summarizer
    public List<byte[]> attempt(Asked asked, int attempt, Set<ServiceRole> readers, String... pieces) {
        var frames = new java.util.ArrayList<byte[]>();
        var keys = AttemptKeys.create();
        var place = new AttemptKeys.Place(asked.tenant, asked.id, attempt, NONCE);
        var fence = keys.fence("worker-1", place, readers, worker.sealer(format(attempt)));
        frames.add(worker.signatures()
                .sign(frame(asked, attempt, 0, FrameKind.FENCE).withBody(fence.encode()))
                .encode());
        for (int seq = 0; seq < pieces.length; seq++) {
            var header = attempt == 1 && seq == 0 ? new Delta.Header("analysis", null, null) : null;
            var delta = new Delta(header, new int[] {seq, 2}, pieces[seq], false, List.of());
            var frame = frame(asked, attempt, seq, FrameKind.DELTA);
            var body = Objects.requireNonNull(keys.reasoning()).seal(delta.encode(), asked.tenant, frame);
            frames.add(frame.withBody(body).encode());
        }
        return frames;
    }

    private static Frame frame(Asked asked, int attempt, int seq, FrameKind kind) {
        var lane = kind == FrameKind.DELTA ? Lane.REASONING : Lane.CONTROL;
        return new Frame(asked.id, attempt, NONCE, seq, lane, kind, 0, new byte[0], UnknownFields.NONE)
                .in(format(attempt));
    }

    private static int format(int attempt) {
        return 1 + attempt % 2;
    }

    /// The record as the worker or the gateway that wrote it signs it.
    public byte[] signed(TraceRecord record) {
        var kind = SignedRecord.of(record);
        var signer = kind == SignedRecord.WHOLE_TRACE ? worker : gateway;
        return signer.signatures().sign(kind, Topic.AUDIT, record.encode());
    }

    /// The end of a response as the owning gateway attests it.
    public AccessEntry closing(Asked asked, String verdict) {
        var endedAt = asked.id.acceptedAtMillis() + 900;
        var closing = new Closing(terms(asked), MODEL, "STOP", endedAt, new byte[] {1, 2}, verdict, SUMMARY, false);
        return new AccessEntry(
                "closing_" + asked.id,
                endedAt,
                asked.key,
                asked.tenant,
                asked.id.toString(),
                AccessEntry.Action.RESPONSE_CLOSED,
                gateway.sealFor(ServiceRole.AUDIT, closing.encode(), Closing.context(asked.tenant, asked.id)));
    }

    /// Appends an entry with a worker's signature.
    public void forge(AccessEntry entry) {
        append(
                Topic.ACCESS_LOG,
                entry.response(),
                worker.signatures().sign(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode()));
    }

    /// Appends a record, signed, and waits until the broker has it.
    public void append(TraceRecord record) {
        append(Topic.AUDIT, record.response().toString(), signed(record));
    }

    public void append(AccessEntry entry) {
        append(entry, entry.response());
    }

    public void append(AccessEntry entry, String key) {
        var signed = gateway.signatures().sign(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode());
        append(Topic.ACCESS_LOG, key, signed);
    }

    public void append(String topic, @Nullable String key, byte[] value) {
        try {
            producer.send(new ProducerRecord<>(topic, key, value)).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
