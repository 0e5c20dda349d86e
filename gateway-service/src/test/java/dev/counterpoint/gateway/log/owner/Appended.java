package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// A bus that keeps what is appended, and acknowledges when it is told to.
public final class Appended {
    public final MockProducer<String, byte[]> producer =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());

    /// Decisions over this bus, with a worker that has an inbox. An acknowledgement runs its callback at once.
    LogCommands decisions() {
        var fleet = new FleetMembership("gateway-1", 4, Duration.ofMillis(500));
        fleet.accept(TestAdmission.beat("reader", WorkerVoice.MODEL, 8, 8));
        return decisions(new Inboxes(fleet));
    }

    LogCommands decisions(Inboxes inboxes) {
        return new LogCommands(producer, Rings.ofTests().gateway(), inboxes, Runnable::run);
    }

    /// Acknowledges everything, what that leads to included.
    void acknowledgeAll() {
        while (producer.completeNext()) {
            // Each one may append more.
        }
    }

    /// Loses the oldest append that nobody acknowledged.
    void loseNext() {
        producer.errorNext(new TimeoutException("lost"));
    }

    /// After `producer.sendException` was set.
    @SuppressWarnings("NullAway")
    public void sendingWorksAgain() {
        producer.sendException = null;
    }

    List<Frame> frames() {
        return on(Topic.FRAMES).map(Frame::decode).toList();
    }

    /// What was decided, in order.
    List<FrameKind> kinds() {
        return frames().stream().map(Frame::kind).toList();
    }

    /// What was handed to the audit service.
    List<TraceRecord> traces() {
        return on(Topic.AUDIT).map(TraceRecord::decode).toList();
    }

    /// What the audit service learned of ends.
    List<Closing> closings() {
        return on(Topic.ACCESS_LOG)
                .map(AccessEntry::decode)
                .map(entry -> {
                    assertThat(entry.action()).isEqualTo(AccessEntry.Action.RESPONSE_CLOSED);
                    var context = Closing.context(
                            entry.tenant(), ResponseId.parse(entry.response()).orElseThrow());
                    return Closing.decode(TestKeys.of(ServiceRole.AUDIT).open(entry.sealed(), context));
                })
                .toList();
    }

    List<OwnerEnd.Reason> ends() {
        return frames().stream()
                .filter(frame -> frame.kind() == FrameKind.OWNER_END)
                .map(frame -> OwnerEnd.decode(frame.body()).reason())
                .toList();
    }

    /// Numbers of the attempts that were opened.
    List<Integer> reissues() {
        return frames().stream()
                .filter(frame -> frame.kind() == FrameKind.REISSUE)
                .map(Frame::attempt)
                .toList();
    }

    List<SuspectReport> reports() {
        return on(Topic.SUSPECTS).map(SuspectReport::decode).toList();
    }

    /// What went to inboxes.
    List<JobTicket> tickets() {
        return on(Topic.inboxName(WorkerVoice.MODEL)).map(JobTicket::decode).toList();
    }

    List<StopCommand> controls() {
        return on(Topic.CONTROL).map(StopCommand::decode).toList();
    }

    private Stream<byte[]> on(String topic) {
        return producer.history().stream()
                .filter(record -> record.topic().equals(topic))
                .map(ProducerRecord::value);
    }
}
