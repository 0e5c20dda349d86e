package dev.counterpoint.worker.take;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LaneKey;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.worker.attempt.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// The gateway's side of the bus, as far as a worker sees it.
final class TestGateway implements AutoCloseable {
    static final String TENANT = "tenant-1";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final String model;
    /// That frames 0 name.
    Topic.Band band = Topic.Band.NORMAL;

    private final KafkaClients clients;
    private static final int FORMAT = Frame.NEWEST_FORMAT;

    private final int inboxes;
    private int turn;
    private final KeyRing keys;
    private final KafkaProducer<String, byte[]> producer;

    /// @param inboxes partitions of the model's topic
    TestGateway(KafkaClients clients, Path keysDir, String model, int inboxes) {
        this.inboxes = inboxes;
        this.clients = clients;
        this.model = model;
        keys = KeyRing.load(keysDir, ServiceRole.GATEWAY);
        producer = clients.promptProducer();
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            topics.ensureShared(Topic.FRAMES_PER_GATEWAY);
            // A gateway waits for the worker's first beat instead.
            topics.ensureInbox(model, inboxes);
        }
    }

    /// Appends frame 0 and gives the ticket of attempt 1.
    JobTicket accept(String question, ServiceRole... rawReaders) throws Exception {
        return accept(together(question, rawReaders));
    }

    /// Appends a frame 0 whose job no worker can open.
    JobTicket acceptUnreadable(ServiceRole... rawReaders) throws Exception {
        var id = ResponseId.create(System.currentTimeMillis(), 3);
        return accept(together(id, keys.sealFor(ServiceRole.WORKER, new byte[] {1}, "another place"), rawReaders));
    }

    /// A ticket with frame 0 inside, which is not in the log yet.
    JobTicket together(String question, ServiceRole... rawReaders) {
        var job = Workbench.asking(question);
        var id = ResponseId.create(System.currentTimeMillis(), 3);
        var sealed = keys.sealer(FORMAT).sealFor(ServiceRole.WORKER, job.encode(), Accepted.jobContext(TENANT, id));
        return together(id, sealed, rawReaders);
    }

    /// Appends the frame 0 of a ticket.
    ///
    /// @return the ticket that has its offset, without it
    JobTicket accept(JobTicket ticket) throws Exception {
        long offset = append(Objects.requireNonNull(ticket.first()));
        return ticket.with(offset, null);
    }

    /// A ticket for another attempt of the same job.
    static JobTicket forAttempt(JobTicket ticket, int attempt) {
        return new JobTicket(
                ticket.response(),
                ticket.acceptedOffset(),
                attempt,
                ticket.tenant(),
                ticket.rawReaders(),
                ticket.deadlineMillis(),
                ticket.passedOver(),
                ticket.format(),
                null,
                ticket.resent(),
                ticket.unknown());
    }

    private JobTicket together(ResponseId id, byte[] sealed, ServiceRole... rawReaders) {
        long deadline = System.currentTimeMillis() + 60_000;
        var nothing = new byte[0];
        var accepted = new Accepted(
                TENANT,
                "key",
                model,
                id.acceptedAtMillis(),
                deadline,
                Set.of(rawReaders),
                false,
                false,
                band,
                new Accepted.SealedParts(nothing, sealed, nothing, rawReaders.length == 0 ? nothing : new byte[] {1}),
                "",
                FORMAT);
        var first = keys.signatures()
                .sign(Frame.decision(id, 1, FrameKind.ACCEPTED, accepted.encode())
                        .in(FORMAT));
        return JobTicket.of(id, JobTicket.NOT_YET, 1, accepted).with(JobTicket.NOT_YET, first);
    }

    long append(Frame frame) throws Exception {
        // Workers sign and tag their own.
        var proven = frame.nonce() == 0 && frame.proof().length == 0
                ? keys.signatures().sign(frame)
                : frame;
        return producer.send(proven.record()).get().offset();
    }

    /// Puts a ticket into the next inbox.
    void queue(JobTicket ticket) throws Exception {
        send(ticket, turn++ % inboxes);
    }

    /// Puts a ticket into an inbox.
    ///
    /// @return its offset
    long send(JobTicket ticket, int partition) throws Exception {
        var topic = Topic.inboxName(model);
        var signed = keys.signatures().sign(SignedRecord.JOB_TICKET, topic, ticket.encode());
        return producer.send(
                        new ProducerRecord<>(topic, partition, ticket.response().toString(), signed))
                .get()
                .offset();
    }

    /// Tells whoever runs the response to stop.
    void stop(JobTicket ticket) throws Exception {
        var command = new StopCommand(ticket.response(), Integer.MAX_VALUE).encode();
        var signed = keys.signatures().sign(SignedRecord.STOP_COMMAND, Topic.CONTROL, command);
        producer.send(new ProducerRecord<>(Topic.CONTROL, 0, "any", signed)).get();
    }

    /// The records on the audit topic about a response, by now.
    List<TraceRecord> traces(JobTicket ticket) {
        var traces = new ArrayList<TraceRecord>();
        try (var consumer = clients.historyReader()) {
            var partitions = consumer.partitionsFor(Topic.AUDIT).stream()
                    .map(partition -> new TopicPartition(Topic.AUDIT, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(
                            partition -> consumer.position(partition) < Objects.requireNonNull(ends.get(partition)))) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.key().equals(ticket.response().toString())) {
                        traces.add(TraceRecord.decode(record.value()));
                    }
                }
            }
        }
        return traces;
    }

    /// Reads the log of a response from frame 0 until a valid frame fits.
    Answer read(JobTicket ticket, Predicate<Frame> last) {
        var answer = new Answer();
        ResponseLog log = null;
        var partition = new TopicPartition(Topic.FRAMES, ticket.response().partition());
        long until = System.nanoTime() + PATIENCE.toNanos();
        try (var consumer = clients.reader()) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, ticket.acceptedOffset());
            while (System.nanoTime() < until) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    var frame = Frame.decode(record.value());
                    if (!frame.response().equals(ticket.response())) {
                        continue;
                    }
                    log = log == null ? new ResponseLog(Objects.requireNonNull(LogTrust.of(frame, keys))) : log;
                    if (log.accept(frame) == ResponseLog.Verdict.VALID) {
                        take(frame, answer);
                        if (last.test(frame)) {
                            answer.lastOffset = record.offset();
                            return answer;
                        }
                    }
                }
            }
        }
        throw new AssertionError("the log never came to that; it holds " + answer.frames);
    }

    private void take(Frame frame, Answer answer) {
        answer.frames.add(frame);
        switch (frame.kind()) {
            case FENCE ->
                answer.keys = AttemptKeys.of(
                        Fence.decode(frame.body()),
                        new AttemptKeys.Place(TENANT, frame.response(), frame.attempt(), frame.nonce()),
                        keys);
            case DELTA -> {
                if (frame.lane() == Lane.VISIBLE) {
                    var delta = answer.keys().delta(TENANT, frame);
                    if (delta != null) {
                        answer.text.append(delta.text());
                    }
                }
            }
            case END -> answer.end = End.decode(answer.visible().open(TENANT, frame));
            case ACCEPTED,
                    REISSUE,
                    SEALED_REASONING,
                    PROGRESS,
                    HANDOVER,
                    OWNER_END,
                    SUMMARY,
                    SUMMARY_END,
                    SUMMARY_ABANDONED,
                    UNKNOWN -> {}
        }
    }

    /// What the log of a response says to this gateway.
    static final class Answer {
        final List<Frame> frames = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        long lastOffset;
        private @Nullable AttemptKeys keys;
        private @Nullable End end;

        AttemptKeys keys() {
            return Objects.requireNonNull(keys, "a frame before the fence");
        }

        private LaneKey visible() {
            return Objects.requireNonNull(keys().visible(), "no key to the visible lane");
        }

        String text() {
            return text.toString();
        }

        End end() {
            return Objects.requireNonNull(end, "no end");
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
