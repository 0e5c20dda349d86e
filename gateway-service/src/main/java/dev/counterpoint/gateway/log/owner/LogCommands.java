package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AccessEntry.Action;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.admission.JobDispatch;
import dev.counterpoint.gateway.admission.PendingJob;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.servicekit.tracing.BusSpans;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The decisions that an owner of partitions may append, signed. Every decision takes effect only by being read
/// back from the log, so two owners at once do no harm, and a decision that got lost is taken again. Thread-safe.
final class LogCommands implements JobDispatch {
    private static final Logger LOG = LoggerFactory.getLogger(LogCommands.class);
    private static final long APPEND_TIMEOUT_SECONDS = 11;

    private static final String REISSUE = "reissue";
    private static final String STEER = "steer";
    private static final String SUMMARY_ABANDONED = "summary_abandoned";

    private final Producer<String, byte[]> producer;
    private final KeyRing keys;
    private final Signatures signatures;
    private final Inboxes inboxes;
    private final Executor afterwards;

    LogCommands(Producer<String, byte[]> producer, KeyRing keys, Inboxes inboxes) {
        this(producer, keys, inboxes, Thread::startVirtualThread);
    }

    /// @param afterwards runs what follows an acknowledged append. Never the producer's own thread: it would wait
    ///     there for metadata that only this thread can bring
    LogCommands(Producer<String, byte[]> producer, KeyRing keys, Inboxes inboxes, Executor afterwards) {
        this.producer = producer;
        this.keys = keys;
        signatures = keys.signatures();
        this.inboxes = inboxes;
        this.afterwards = afterwards;
        // Told from the start as 0, so that the first of each is seen as a change.
        Stream.concat(
                        Stream.of(REISSUE, STEER, SUMMARY_ABANDONED),
                        Stream.of(OwnerEnd.Reason.values()).map(LogCommands::decision))
                .forEach(LogCommands::decisions);
    }

    /// Sends frame 0 to the log and does not wait.
    Accepting accept(Frame frame, RequestSpan request) {
        var signed = signatures.sign(frame);
        var record = signed.record();
        var sending = BusSpans.sending(request, record);
        try {
            return new Accepting(signed, producer.send(record), sending);
        } catch (RuntimeException e) {
            sending.failed(e.getClass().getSimpleName()).end();
            throw e;
        }
    }

    /// A frame 0 on its way to the log.
    record Accepting(Frame frame, Future<RecordMetadata> append, RequestSpan sending) {
        /// @return its offset
        /// @throws BackendUnavailableException when the bus does not take it
        long await() {
            try {
                return LogCommands.await(append).offset();
            } catch (RuntimeException e) {
                sending.failed(e.getClass().getSimpleName());
                throw e;
            } finally {
                sending.end();
            }
        }
    }

    @Override
    public void send(PendingJob job, Runnable lost) {
        try {
            queue(job, lost);
        } catch (KafkaException | IllegalStateException e) {
            lost.run();
        }
    }

    /// Opens the attempt of `job`. Once the log has the decision, tells the old attempt to stop and queues the
    /// job.
    void reissue(PendingJob job) {
        var ticket = job.ticket();
        decisions(REISSUE).increment();
        var frame = Frame.decision(ticket.response(), ticket.attempt(), FrameKind.REISSUE, new byte[0]);
        producer.send(decided(frame), (_, failure) -> {
            if (failure == null) {
                afterwards.execute(() -> reissued(job));
            }
        });
    }

    private void reissued(PendingJob job) {
        var ticket = job.ticket();
        try {
            requeue(job);
            send(new StopCommand(ticket.response(), ticket.attempt()));
        } catch (KafkaException | IllegalStateException e) {
            // A ticket that got lost is queued again by the owner's rules.
            LOG.warn(
                    "reissued job is not queued responseId={} cause={}",
                    ticket.response(),
                    e.getClass().getSimpleName());
        }
    }

    /// Sends a job again that nobody took; a duplicate costs nothing but a read. While no worker lives nothing is
    /// sent, and [Inboxes#fate] finds the job lost as soon as one does.
    void requeue(PendingJob job) {
        var routed = inboxes.route(job);
        if (routed.inbox() != null) {
            queue(routed, () -> inboxes.gone(job.response()));
        }
    }

    private void queue(PendingJob job, Runnable lost) {
        var ticket = job.dispatched();
        if (ticket.isEmpty()) {
            lost.run();
            return;
        }
        var record = record(job, ticket.get());
        var sending = job.spans().sending(record, job.ticket().attempt());
        try {
            producer.send(record, (metadata, failure) -> {
                if (failure != null) {
                    sending.failed(failure.getClass().getSimpleName());
                    lost.run();
                } else {
                    inboxes.appended(job, metadata.offset());
                }
                sending.end();
            });
        } catch (KafkaException | IllegalStateException e) {
            sending.failed(e.getClass().getSimpleName()).end();
            throw e;
        }
    }

    /// Reports a job that lost its worker to all gateways and to operators.
    void report(SuspectReport report) {
        var signed = signatures.sign(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, report.encode());
        producer.send(new ProducerRecord<>(Topic.SUSPECTS, 0, report.response().toString(), signed));
    }

    /// Ends a response that no worker ends. Once the log has the decision, tells whoever runs it to stop: a worker
    /// that takes it meanwhile finds the one or hears the other.
    void end(ResponseId response, int attempt, OwnerEnd.Reason reason) {
        LOG.info("ended by owner responseId={} reason={}", response, reason);
        decisions(decision(reason)).increment();
        var frame = Frame.decision(response, attempt, FrameKind.OWNER_END, new OwnerEnd(reason).encode());
        producer.send(decided(frame), (_, failure) -> {
            if (failure == null) {
                afterwards.execute(() -> trySend(new StopCommand(response, Integer.MAX_VALUE)));
            }
        });
    }

    private void trySend(StopCommand command) {
        try {
            send(command);
        } catch (KafkaException | IllegalStateException e) {
            // After the end, what it still says is void, and it stops at its deadline.
            LOG.warn(
                    "worker is not told to stop responseId={} cause={}",
                    command.response(),
                    e.getClass().getSimpleName());
        }
    }

    /// Ends a response, whoever owns it, and stops whoever runs it. Returns when the log has the end.
    ///
    /// @throws BackendUnavailableException when the bus does not take it
    void endNow(ResponseId response, OwnerEnd.Reason reason) {
        // An end counts whatever attempt it names, so nobody need know the current one.
        await(append(Frame.decision(response, 1, FrameKind.OWNER_END, new OwnerEnd(reason).encode())));
        LOG.info("ended responseId={} reason={}", response, reason);
        decisions(decision(reason)).increment();
        send(new StopCommand(response, Integer.MAX_VALUE));
    }

    /// Says that no more summary of a response comes.
    void abandonSummary(ResponseId response, int attempt) {
        decisions(SUMMARY_ABANDONED).increment();
        append(Frame.decision(response, attempt, FrameKind.SUMMARY_ABANDONED, new byte[0]));
    }

    private static String decision(OwnerEnd.Reason reason) {
        return "end_" + reason.name().toLowerCase(Locale.ROOT);
    }

    private static Counter decisions(String decision) {
        return Metrics.counter("counterpoint.gateway.decisions", "decision", decision);
    }

    /// Hands a record to the audit service.
    ///
    /// @param done told when the bus has it
    void keepTrace(TraceRecord record, Runnable done) {
        var signed = signatures.sign(SignedRecord.of(record), Topic.AUDIT, record.encode());
        keep(new ProducerRecord<>(Topic.AUDIT, record.response().toString(), signed), done);
    }

    /// Attests the end of a response to the audit service.
    ///
    /// @param done told when the bus has it
    void keepClosing(FollowedResponse response, Closing closing, Runnable done) {
        var id = response.id.toString();
        var key = response.accepted.key();
        var tenant = response.accepted.tenant();
        var context = Closing.context(tenant, response.id);
        var sealed = keys.sealFor(ServiceRole.AUDIT, closing.encode(), context);
        var entry = new AccessEntry(
                "closing_" + id, closing.endedAtMillis(), key, tenant, id, Action.RESPONSE_CLOSED, sealed);
        var signed = signatures.sign(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode());
        keep(new ProducerRecord<>(Topic.ACCESS_LOG, id, signed), done);
    }

    private void keep(ProducerRecord<String, byte[]> record, Runnable done) {
        producer.send(record, (_, failure) -> {
            if (failure == null) {
                done.run();
            }
        });
    }

    private void send(StopCommand command) {
        var signed = signatures.sign(SignedRecord.STOP_COMMAND, Topic.CONTROL, command.encode());
        producer.send(new ProducerRecord<>(Topic.CONTROL, 0, command.response().toString(), signed));
    }

    /// Appends a steer.
    ///
    /// @throws BackendUnavailableException when the bus does not take it
    void steer(Frame frame) {
        decisions(STEER).increment();
        await(append(frame));
    }

    /// Lets the worker of a response know that its log holds a steer.
    void stopAtSteer(ResponseId response) {
        afterwards.execute(() -> trySend(StopCommand.atSteer(response)));
    }

    private Future<RecordMetadata> append(Frame frame) {
        return producer.send(decided(frame));
    }

    private ProducerRecord<String, byte[]> decided(Frame frame) {
        return signatures.sign(frame).record();
    }

    private ProducerRecord<String, byte[]> record(PendingJob job, JobTicket ticket) {
        var signed = signatures.sign(SignedRecord.JOB_TICKET, job.topic(), ticket.encode());
        return new ProducerRecord<>(job.topic(), job.inbox(), job.response().toString(), signed);
    }

    private static RecordMetadata await(Future<RecordMetadata> append) {
        try {
            return append.get(APPEND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new BackendUnavailableException("the message bus does not take requests now");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        }
    }
}
