package dev.counterpoint.bus.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.frame.ResponseLog.Verdict;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// H1, H4: the logs of [Interleavings] as real records, beside somebody who may append anything at any place: without
/// keys of the suite, or with those of one service. The readers are those of the services, [ResponseLog] with
/// `LogTrust`.
@Tag("random")
class AttackedLogTest {
    private static final ResponseId RESPONSE = new ResponseId(1_000, 3, 0xCAFE, 0xBABE);
    private static final ResponseId OTHER = new ResponseId(1_000, 3, 0xCAFE, 0xBABF);
    private static final String TENANT = "tenant-1";
    private static final String WHOLE_ANSWER = new String(new char[] {
        new Event(FrameKind.FENCE, 1, 1, 0).code(),
        new Event(FrameKind.DELTA, 1, 0, 0).code(),
        new Event(FrameKind.DELTA, 1, 1, 1).code(),
        new Event(FrameKind.REISSUE, 0, 2, 0).code(),
        new Event(FrameKind.HANDOVER, 1, 0, 0).code(),
        new Event(FrameKind.END, 1, 2, 0).code(),
        new Event(FrameKind.SUMMARY, 1, 0, 0).code(),
        new Event(FrameKind.SUMMARY_END, 1, 1, 0).code(),
        new Event(FrameKind.OWNER_END, 0, 0, 0).code()
    });
    private static final int SCALE = Integer.getInteger("scale", 1);
    /// One frame more takes six times as long.
    private static final int ATTACKED_FRAMES_MAX = SCALE == 1 ? 4 : 5;

    private static final int INTRUDED_FRAMES_MAX = SCALE == 1 ? 4 : 5;
    private static final int LONG_LOGS = 15 * SCALE;
    private static final int LONG_FRAMES_MAX = 24;

    private static final Map<ServiceRole, KeyRing> KEYS = new EnumMap<>(ServiceRole.class);
    /// Made by somebody else for a suite of his own.
    private static final List<KeyRing> STRANGERS = new ArrayList<>();

    @BeforeAll
    static void load(@TempDir Path folder) throws Exception {
        GenerateKeys.into(folder);
        for (var role : ServiceRole.values()) {
            KEYS.put(role, RememberingKeys.of(role));
        }
        STRANGERS.add(KeyRing.load(folder, ServiceRole.GATEWAY));
        STRANGERS.add(KeyRing.load(folder, ServiceRole.WORKER));
    }

    private static KeyRing keys(ServiceRole role) {
        return Objects.requireNonNull(KEYS.get(role));
    }

    private static LogView view(List<Frame> frames, ServiceRole role) {
        return new LogView(frames.getFirst(), TENANT, keys(role));
    }

    private static Forgeries forgeries(SealedEvents sealed) {
        var forgers = Stream.concat(STRANGERS.stream(), Stream.of(keys(ServiceRole.AUDIT)))
                .toList();
        var elsewhere = new SealedEvents(OTHER, "tenant-2", keys(ServiceRole.AUDIT));
        return new Forgeries(sealed, forgers, elsewhere.of(WHOLE_ANSWER));
    }

    /// Reads a log with and without all forgeries between its records.
    private static final class Attack {
        private final SealedEvents sealed = new SealedEvents(RESPONSE, TENANT, keys(ServiceRole.AUDIT));
        private final Forgeries forgeries = forgeries(sealed);
        private long forged;
        private long readings;

        /// What is wrong with the log, or an empty string.
        String violation(String log, List<Frame> frames) {
            for (var role : LogView.readers()) {
                readings++;
                var calm = view(frames, role);
                var hurt = view(frames, role);
                for (int i = 0; i < frames.size(); i++) {
                    if (calm.accept(frames.get(i)) != hurt.accept(frames.get(i))) {
                        return role + " takes another frame for genuine after an attack: " + frames.get(i);
                    }
                    for (var forgery : forgeries.after(frames.subList(0, i + 1), calm.state())) {
                        forged++;
                        boolean counts = hurt.accept(forgery) == Verdict.VALID;
                        if (counts && !repeatedSign(forgery, frames)) {
                            return role + " takes a forgery for genuine: " + forgery;
                        }
                    }
                    if (!calm.state().equals(hurt.state())) {
                        return role + " sees another log after an attack";
                    }
                }
                var wrong = hurt.differenceFrom(LogModel.readWithResponseLog(log));
                if (!wrong.isEmpty()) {
                    return role + wrong;
                }
            }
            return "";
        }

        /// A copy of a sign says the same again: the one record that a copy of counts.
        private static boolean repeatedSign(Frame forgery, List<Frame> frames) {
            boolean sign = forgery.kind() == FrameKind.PROGRESS || forgery.kind() == FrameKind.HANDOVER;
            return sign && frames.contains(forgery);
        }
    }

    @Test
    void h4WhoHasNoKeysAndWhoHasTheAuditsChangesNothingForAnybodyAtAnyPlace() {
        // Given
        var attack = new Attack();
        // When
        var findings = new Interleavings(LogModel::readWithResponseLog, false)
                .walkLogs(ATTACKED_FRAMES_MAX, log -> attack.violation(log, attack.sealed.of(log)));
        // Then
        System.out.printf(
                "attacked logs: %,d logs, %,d readings, %,d forgeries%n",
                findings.logs(), attack.readings, attack.forged);
        assertThat(findings.violation()).isEmpty();
        assertThat(findings.logs()).isGreaterThan(100);
        assertThat(attack.forged).isGreaterThan(100_000);
    }

    /// With signs of the holder and a summary between, which the walk leaves out, in logs that go on for long.
    @Test
    void h4LongLogsReadTheSameToo() {
        var attack = new Attack();
        var random = new Random(19);
        var walk = new Interleavings(LogModel::readWithResponseLog, false);
        int frames = 0;
        for (int i = 0; i < LONG_LOGS; i++) {
            var log = withMore(walk.wander(random, LONG_FRAMES_MAX), random);
            frames += log.length();
            assertThat(attack.violation(log, attack.sealed.of(log)))
                    .as(LogModel.describe(log))
                    .isEmpty();
        }
        System.out.printf(
                "attacked long logs: %,d logs, %,d frames, %,d forgeries%n", LONG_LOGS, frames, attack.forged);
    }

    private static String withMore(String log, Random random) {
        var more = new StringBuilder();
        for (int i = 0; i < log.length(); i++) {
            more.append(log.charAt(i));
            var reading = LogModel.readWithResponseLog(more.toString());
            int holder = reading.holder();
            if (holder != LogModel.NOBODY && random.nextInt(2) == 0) {
                int place = reading.summary().told().size();
                var event = switch (random.nextInt(5)) {
                    case 0 -> new Event(FrameKind.PROGRESS, holder, 0, 0);
                    case 1 -> new Event(FrameKind.HANDOVER, holder, 0, 0);
                    case 2 -> new Event(FrameKind.SUMMARY_END, holder, place, 0);
                    case 3 -> new Event(FrameKind.SUMMARY_ABANDONED, 0, 0, 0);
                    default -> new Event(FrameKind.SUMMARY, holder, place, 0);
                };
                more.append(event.code());
            }
        }
        return more.toString();
    }

    /// What a service that was taken over can write, of every kind: `docs/decisions/0018` lists it.
    @ParameterizedTest
    @EnumSource(ServiceRole.class)
    void h4WhoHasTheKeysOfAServiceWritesItsKindsAndNoOthers(ServiceRole service) {
        // Given
        var sealed = new SealedEvents(RESPONSE, TENANT, keys(service));
        var frames = sealed.of(WHOLE_ANSWER.substring(0, 2));
        var genuine = EnumSet.noneOf(FrameKind.class);
        // When
        for (var reader : LogView.readers()) {
            var taken = EnumSet.noneOf(FrameKind.class);
            for (var kind : EnumSet.complementOf(EnumSet.of(FrameKind.UNKNOWN))) {
                for (var event : Forgeries.events(kind, 1, 1)) {
                    var view = view(frames, reader);
                    frames.forEach(view::accept);
                    if (view.accept(sealed.frame(event, 1)) == Verdict.VALID) {
                        taken.add(kind);
                    }
                }
            }
            genuine.addAll(taken);
            assertThat(taken).as("%s", reader).isEqualTo(genuine);
        }
        // Then a fence counts too, once an attempt has none
        assertThat(genuine).isEqualTo(EnumSet.copyOf(mayWrite(service)));
    }

    private static Set<FrameKind> mayWrite(ServiceRole service) {
        var holders = EnumSet.of(
                FrameKind.DELTA,
                FrameKind.SEALED_REASONING,
                FrameKind.PROGRESS,
                FrameKind.HANDOVER,
                FrameKind.END,
                FrameKind.SUMMARY);
        switch (service) {
            case GATEWAY ->
                holders.addAll(
                        Set.of(FrameKind.REISSUE, FrameKind.OWNER_END, FrameKind.SUMMARY_ABANDONED, FrameKind.STEER));
            case SUMMARIZER -> holders.add(FrameKind.SUMMARY_END);
            case WORKER -> {}
            case AUDIT -> holders.clear();
        }
        return holders;
    }

    /// All that remains of promise 2, and what does not: the text.
    @ParameterizedTest
    @EnumSource(
            value = ServiceRole.class,
            names = {"GATEWAY", "WORKER", "SUMMARIZER"})
    void h4WithTheKeysOfOneServiceAllReadersStillSeeOneLogWithOneEnding(ServiceRole service) {
        // Given
        var intrusion = new Intrusion(service, new SealedEvents(RESPONSE, TENANT, keys(service)), KEYS);
        var walk = new Interleavings(LogModel::readWithResponseLog, false, intrusion::events);
        // When
        var findings = walk.walkLogs(INTRUDED_FRAMES_MAX, intrusion::violation);
        var goOn = new Interleavings(LogModel::readWithResponseLog, false, intrusion::events)
                .walkOn(INTRUDED_FRAMES_MAX - 2);
        // Then
        System.out.printf(
                "keys of %s lost: %,d states, %,d logs, %,d with forged text, %,d ended by force%n",
                service, findings.states(), findings.logs(), intrusion.forgedTexts(), intrusion.forgedEnds());
        assertThat(findings.violation()).isEmpty();
        assertThat(goOn.violation()).isEmpty();
        assertThat(intrusion.forgedTexts()).as("no promise about text").isPositive();
        assertThat(intrusion.forgedEnds()).as("no promise about whole answers").isPositive();
    }

    /// No promise with a worker's keys: its fence may give each kind of reader another key.
    @Test
    void h4AFenceWithAWorkersKeysCanSplitTheReaders() {
        // Given
        var sealed = new SealedEvents(RESPONSE, TENANT, keys(ServiceRole.WORKER));
        var frames = sealed.of(WHOLE_ANSWER.substring(0, 2));
        var fence = Fence.decode(frames.get(1).body());
        var elsewhere = Fence.decode(
                sealed.frame(new Event(FrameKind.FENCE, 2, 1, 0), 1).body());
        var visible = new EnumMap<>(fence.visible());
        visible.put(
                ServiceRole.GATEWAY, Objects.requireNonNull(elsewhere.visible().get(ServiceRole.GATEWAY)));
        var split = TestKeys.signed(frames.get(1).withBody(new Fence("worker", visible, fence.reasoning()).encode()));
        // When
        var verdicts = new EnumMap<ServiceRole, Verdict>(ServiceRole.class);
        for (var role : LogView.readers()) {
            var view = view(frames, role);
            view.accept(frames.getFirst());
            view.accept(split);
            verdicts.put(role, view.accept(frames.get(2)));
        }
        // Then
        assertThat(verdicts)
                .containsEntry(ServiceRole.WORKER, Verdict.VALID)
                .containsEntry(ServiceRole.SUMMARIZER, Verdict.VALID)
                .containsEntry(ServiceRole.GATEWAY, Verdict.VOID);
    }

    @Test
    void h1NoKeysGoToReadersOfATicketThatNoGatewaySignedForItsQueue() throws Exception {
        // Given
        var topic = Topic.inboxName("model");
        var ticket = new JobTicket(RESPONSE, 0, 1, TENANT, Set.of(), 60_000, 0, 1, null, false, UnknownFields.NONE);
        var raw = new JobTicket(
                RESPONSE, 0, 1, TENANT, Set.of(ServiceRole.GATEWAY), 60_000, 0, 1, null, false, UnknownFields.NONE);
        var worker = TestKeys.of(ServiceRole.WORKER).signatures();
        var gateway = TestKeys.of(ServiceRole.GATEWAY).signatures();
        var genuine = gateway.sign(SignedRecord.JOB_TICKET, topic, ticket.encode());
        assertThat(worker.verified(SignedRecord.JOB_TICKET, topic, genuine)).isEqualTo(ticket.encode());
        // When
        var forged = new ArrayList<>(List.of(
                raw.encode(),
                gateway.sign(SignedRecord.STOP_COMMAND, topic, raw.encode()),
                gateway.sign(SignedRecord.JOB_TICKET, Topic.inboxName("large"), raw.encode())));
        STRANGERS.forEach(
                stranger -> forged.add(stranger.signatures().sign(SignedRecord.JOB_TICKET, topic, raw.encode())));
        for (var role : List.of(ServiceRole.WORKER, ServiceRole.SUMMARIZER, ServiceRole.AUDIT)) {
            forged.add(TestKeys.of(role).signatures().sign(SignedRecord.JOB_TICKET, topic, raw.encode()));
        }
        // Then
        assertThat(forged)
                .allSatisfy(record -> assertThatThrownBy(() -> worker.verified(SignedRecord.JOB_TICKET, topic, record))
                        .isInstanceOf(SealException.class));
    }
}
