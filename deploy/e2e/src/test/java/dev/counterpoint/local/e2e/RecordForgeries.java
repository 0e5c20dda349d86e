package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.local.e2e.Forgery.Counted;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/// What an attacker appends to all topics but `frames`: see [FrameForgeries].
final class RecordForgeries {
    /// The person in entries that nobody wrote.
    static final String ACTOR = "key_of_nobody";
    /// A model that nobody serves.
    static final String INVENTED = "invented-model";

    private static final int BEATS = 20_000;
    private static final byte[] NOISE = "no message of ours at all".getBytes(StandardCharsets.UTF_8);

    private final BusTap bus;
    private final KeyRing gateway;
    private final KeyRing worker;
    private final KeyRing summarizer;
    private final KeyRing audit;

    /// @param keys folder of the suite's keys
    RecordForgeries(BusTap bus, Path keys) {
        this.bus = bus;
        gateway = KeyRing.load(keys, ServiceRole.GATEWAY);
        worker = KeyRing.load(keys, ServiceRole.WORKER);
        summarizer = KeyRing.load(keys, ServiceRole.SUMMARIZER);
        audit = KeyRing.load(keys, ServiceRole.AUDIT);
    }

    Stream<Forgery> all() {
        return Stream.of(jobs(), beats(), audit(), others()).flatMap(Function.identity());
    }

    private Stream<Forgery> jobs() {
        return Stream.of(
                forged(
                        "ticket with a reader of its own",
                        Counted.JOBS,
                        at -> job(at, ticket(at, true).encode())),
                forged("ticket of a summary, by the summarizer", Counted.JOBS, at -> job(at, signedTicket(at))),
                forged(
                        "ticket again",
                        Counted.NOT_NEEDED,
                        at -> job(at, ticketOf(at).value())),
                forged("stop command", Counted.CONTROL, at -> {
                    var command = new StopCommand(at.id(), Integer.MAX_VALUE).encode();
                    var signed = worker.signatures().sign(SignedRecord.STOP_COMMAND, Topic.CONTROL, command);
                    return new ProducerRecord<>(Topic.CONTROL, 0, at.id().toString(), signed);
                }),
                forged(
                        "ticket as a stop command",
                        Counted.CONTROL,
                        at -> new ProducerRecord<>(
                                Topic.CONTROL,
                                0,
                                at.id().toString(),
                                ticketOf(at).value())));
    }

    private Stream<Forgery> beats() {
        return Stream.of(
                forged(
                        "beat of an invented model",
                        Counted.MODELS,
                        _ -> beat(new BeatSigner("worker-bad", audit).prove(invented("worker-bad")))),
                forged("beat of before", Counted.MODELS, _ -> beat(anyBeat().value())),
                forged("farewell of a worker", Counted.MODELS, _ -> {
                    var sender = Heartbeat.decode(anyBeat().value()).sender();
                    return beat(new BeatSigner(sender, gateway).proveFarewell(invented(sender)));
                }),
                forged(
                        "tombstone of a worker",
                        Counted.NOWHERE,
                        _ -> new ProducerRecord<>(Topic.MODELS, 0, anyBeat().key(), null)),
                new Forgery(
                        "20,000 beats of models",
                        Counted.MODELS,
                        _ -> IntStream.range(0, BEATS)
                                .mapToObj(number ->
                                        beat(invented("worker-" + number).encode()))
                                .toList()));
    }

    private Stream<Forgery> audit() {
        return Stream.of(
                forged("empty partial trace", Counted.AUDIT, at -> {
                    var empty = new TraceRecord.Partial(
                            OwnerEnd.Reason.CANCELLED, System.currentTimeMillis(), false, List.of());
                    return trace(at.id(), worker, trace(at, empty));
                }),
                forged("whole trace", Counted.AUDIT, at -> {
                    var sealed = gateway.sealFor(ServiceRole.AUDIT, NOISE, "anything");
                    return trace(at.id(), gateway, trace(at, new TraceRecord.Whole(sealed)));
                }),
                forged("trace of another response, renamed", Counted.AUDIT, at -> {
                    var other = TraceRecord.decode(anyTrace().value());
                    return trace(at.id(), summarizer, trace(at, other.body()));
                }),
                forged(
                        "trace again",
                        Counted.SECOND_TRACE,
                        _ -> new ProducerRecord<>(
                                Topic.AUDIT, anyTrace().key(), anyTrace().value())),
                forged("access entry", Counted.ACCESS_LOG, at -> {
                    var entry = entry(at.id(), at.accepted().tenant());
                    return access(
                            worker.signatures().sign(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode()));
                }),
                forged(
                        "access entry that nobody signed",
                        Counted.ACCESS_LOG,
                        at -> access(entry(at.id(), at.accepted().tenant()).encode())),
                forged(
                        "trace as an access entry",
                        Counted.ACCESS_LOG,
                        _ -> access(anyTrace().value())),
                forged(
                        "access entry again",
                        Counted.NOWHERE,
                        _ -> access(bus.last(Topic.ACCESS_LOG, _ -> true).value())));
    }

    private Stream<Forgery> others() {
        return Stream.of(
                forged("suspect report", Counted.SUSPECTS, at -> {
                    var accepted = at.accepted();
                    var report = new SuspectReport(
                            at.id(),
                            accepted.key(),
                            accepted.tenant(),
                            accepted.model(),
                            1,
                            System.currentTimeMillis(),
                            SuspectReport.Finding.WORKER_DIED,
                            true,
                            "worker");
                    var signed = worker.signatures().sign(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, report.encode());
                    return new ProducerRecord<>(Topic.SUSPECTS, 0, at.id().toString(), signed);
                }),
                forged(
                        "tombstone of an erasure",
                        Counted.NOWHERE,
                        _ -> new ProducerRecord<>(Topic.ERASURES, 0, "erasure-1", null)),
                forged("erasure", Counted.NOWHERE, _ -> new ProducerRecord<>(Topic.ERASURES, 0, "erasure-bad", NOISE)),
                forged("order to erase, by a worker", Counted.AUDIT_LOG, at -> {
                    var accepted = at.accepted();
                    var token = gateway.subjectTokens().of(accepted.tenant(), "", accepted.key());
                    var now = System.currentTimeMillis();
                    var erase = new Erase("erasure-bad", accepted.tenant(), token, now);
                    return SignedErase.of(erase, worker.signatures());
                }),
                forged("checkpoint", Counted.NOWHERE, _ -> new ProducerRecord<>(Topic.AUDIT_LOG, 0, null, NOISE)),
                forged(
                        "checkpoint again",
                        Counted.NOWHERE,
                        _ -> new ProducerRecord<>(
                                Topic.AUDIT_LOG,
                                0,
                                null,
                                bus.last(Topic.AUDIT_LOG, _ -> true).value())));
    }

    private static Forgery forged(
            String name, Counted counted, Function<AttackedResponse, ProducerRecord<String, byte[]>> maker) {
        return new Forgery(name, counted, at -> List.of(maker.apply(at)));
    }

    private static String inbox(AttackedResponse at) {
        return Topic.inboxName(at.accepted().model());
    }

    private static ProducerRecord<String, byte[]> job(AttackedResponse at, byte[] ticket) {
        return new ProducerRecord<>(inbox(at), at.id().toString(), ticket);
    }

    /// The genuine ticket of the attacked response.
    private ConsumerRecord<String, byte[]> ticketOf(AttackedResponse at) {
        return bus.last(inbox(at), record -> at.id().toString().equals(record.key()));
    }

    private JobTicket ticket(AttackedResponse at, boolean readable) {
        var genuine = JobTicket.decode(ticketOf(at).value());
        return new JobTicket(
                genuine.response(),
                genuine.acceptedOffset(),
                genuine.attempt(),
                genuine.tenant(),
                readable ? Set.of(ServiceRole.values()) : genuine.rawReaders(),
                genuine.deadlineMillis(),
                0,
                1,
                null,
                false,
                genuine.unknown());
    }

    private byte[] signedTicket(AttackedResponse at) {
        var topic = inbox(at);
        return summarizer
                .signatures()
                .sign(SignedRecord.JOB_TICKET, topic, ticket(at, false).encode());
    }

    private static ProducerRecord<String, byte[]> beat(byte[] bytes) {
        return new ProducerRecord<>(Topic.MODELS, 0, "worker-bad", bytes);
    }

    private static Heartbeat invented(String sender) {
        var model = new Heartbeat.Model(INVENTED, "of an attacker", 4_096, 1_000, 1_000, List.of());
        return new Heartbeat(sender, model, System.currentTimeMillis());
    }

    private ConsumerRecord<String, byte[]> anyBeat() {
        return bus.last(
                Topic.MODELS,
                record -> record.value() != null
                        && Heartbeat.decode(record.value()).model() != null);
    }

    private ConsumerRecord<String, byte[]> anyTrace() {
        return bus.last(Topic.AUDIT, _ -> true);
    }

    private static TraceRecord trace(AttackedResponse at, TraceRecord.Body body) {
        var accepted = at.accepted();
        return new TraceRecord(
                at.id(),
                accepted.tenant(),
                accepted.key(),
                accepted.model(),
                accepted.acceptedAtMillis(),
                accepted.sealed().auditTerms(),
                body);
    }

    private static ProducerRecord<String, byte[]> trace(ResponseId id, KeyRing by, TraceRecord trace) {
        var signed = by.signatures().sign(SignedRecord.of(trace), Topic.AUDIT, trace.encode());
        return new ProducerRecord<>(Topic.AUDIT, id.toString(), signed);
    }

    private static AccessEntry entry(ResponseId id, String tenant) {
        return new AccessEntry(
                UUID.randomUUID().toString(),
                System.currentTimeMillis(),
                ACTOR,
                tenant,
                id.toString(),
                AccessEntry.Action.RAW_REASONING_SHOWN);
    }

    private static ProducerRecord<String, byte[]> access(byte[] entry) {
        return new ProducerRecord<>(Topic.ACCESS_LOG, "any", entry);
    }
}
