package dev.counterpoint.audit.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.records.NewRecord;
import dev.counterpoint.audit.records.RecordEnding;
import dev.counterpoint.audit.records.RecordStatus;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.RecordMutator;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceOpenerTest {
    private static final Set<ServiceRole> OPTED_IN = Set.of(ServiceRole.AUDIT);

    @TempDir
    static Path keys;

    private static TestBus bus;
    private static KeyRing audit;

    @BeforeAll
    static void generate() throws IOException {
        GenerateKeys.into(keys);
        bus = new TestBus(keys, "127.0.0.1:1");
        audit = KeyRing.load(keys, ServiceRole.AUDIT);
    }

    @AfterAll
    static void close() {
        bus.close();
    }

    @Test
    void aRequestThatNamesNobodyIsAboutTheHolderOfItsKey() {
        var named = open(bus.whole(Asked.of("acme", "alice")));
        var nameless = open(bus.whole(Asked.of("acme", "")));

        assertThat(named.subject()).isEqualTo(new DataSubject.EndUser("alice"));
        assertThat(nameless.subject()).isEqualTo(new DataSubject.KeyHolder("key_1"));
    }

    @Test
    void aTraceThatWasMovedToAnotherResponseDoesNotOpen() {
        // Given the trace of one response under the name and with the terms of another
        var one = bus.whole(Asked.of("acme", "alice"), "secret");
        var other = bus.whole(Asked.of("acme", "bob"), "secret");
        var mixed = new TraceRecord(other.response(), "acme", other.key(), other.model(), 1, other.terms(), one.body());
        // Then
        assertThatThrownBy(() -> TraceOpener.open(bus.signed(mixed), audit)).isInstanceOf(SealException.class);
    }

    @Test
    void termsThatWereMovedToAnotherResponseDoNotOpen() {
        var one = bus.whole(Asked.of("acme", "alice"), "secret");
        var other = bus.whole(Asked.of("acme", "bob"), "secret");
        var mixed = new TraceRecord(other.response(), "acme", other.key(), other.model(), 1, one.terms(), other.body());

        assertThatThrownBy(() -> TraceOpener.open(bus.signed(mixed), audit)).isInstanceOf(SealException.class);
    }

    @ParameterizedTest
    @EnumSource(OwnerEnd.Reason.class)
    void anEndingByTheOwnerHasAStatusForEveryReason(OwnerEnd.Reason reason) {
        var opened = open(bus.partial(Asked.of("acme", "bob"), reason, false, List.of()));

        assertThat(opened.ending().reason()).isEqualTo(reason.name());
        assertThat(opened.ending().status()).isNotEqualTo(RecordStatus.COMPLETED);
        assertThat(opened.ending()).isInstanceOf(RecordEnding.ByOwner.class);
    }

    @Test
    void whatOpensIsKeptAndWhatDoesNotIsCounted() {
        // Given one damaged frame, one of another response, noise, and the rest
        var asked = Asked.of("acme", "bob");
        var frames = new ArrayList<>(bus.attempt(asked, 1, OPTED_IN, "one ", "two ", "three"));
        frames.get(2)[frames.get(2).length - 1] ^= 1;
        frames.add(bus.attempt(Asked.of("acme", "bob"), 1, OPTED_IN, "foreign").get(1));
        frames.add(new byte[] {7});
        // When
        var opened = open(bus.partial(asked, OwnerEnd.Reason.EXPIRED, false, frames));
        // Then
        assertThat(opened.trace().segments()).extracting(Trace.Segment::text).containsExactly("one three");
        assertThat(opened.ending()).isEqualTo(new RecordEnding.ByOwner(OwnerEnd.Reason.EXPIRED, false, 3));
    }

    @Test
    void anAttemptWhoseFenceHasNoKeyForUsStaysClosed() {
        // Given a first attempt with a key and a second one without
        var asked = Asked.of("acme", "bob");
        var frames = new ArrayList<>(bus.attempt(asked, 1, OPTED_IN, "open"));
        frames.addAll(bus.attempt(asked, 2, Set.of(), "closed", "closed"));
        // When
        var opened = open(bus.partial(asked, OwnerEnd.Reason.EXPIRED, false, frames));
        // Then
        assertThat(opened.trace().segments()).extracting(Trace.Segment::text).containsExactly("open");
        assertThat(opened.ending()).isEqualTo(new RecordEnding.ByOwner(OwnerEnd.Reason.EXPIRED, false, 3));
    }

    @Test
    void nothingThatItReadsIsPrinted() {
        var opened = open(bus.whole(Asked.of("acme", "alice"), "secret thought"));

        assertThat(opened.toString()).doesNotContain("secret").doesNotContain("alice");
    }

    @Test
    void h2ATraceThatNoWorkerSignedIsNoRecord() {
        var asked = Asked.of("acme", "bob");
        var whole = bus.whole(asked, "thought");

        assertRefused(whole.encode());
        assertRefused(signed(ServiceRole.GATEWAY, SignedRecord.WHOLE_TRACE, whole));
        assertRefused(signed(ServiceRole.SUMMARIZER, SignedRecord.WHOLE_TRACE, whole));
    }

    @Test
    void h2APartialTraceThatNoGatewayOrderedIsNoRecord() {
        // Given what an attacker publishes as soon as frame 0 is there: nothing under any key and model
        var asked = Asked.of("acme", "bob");
        var blinding = bus.partial(asked, OwnerEnd.Reason.EXPIRED, false, List.of());

        assertRefused(blinding.encode());
        assertRefused(signed(ServiceRole.WORKER, SignedRecord.PARTIAL_TRACE, blinding));
        assertRefused(signed(ServiceRole.WORKER, SignedRecord.WHOLE_TRACE, blinding));
    }

    @Test
    void h2ASignedTraceUnderAnotherNameIsNoRecord() {
        // Given the signature of one record behind another
        var one = bus.signed(bus.whole(Asked.of("acme", "bob"), "thought"));
        var other = bus.whole(Asked.of("acme", "bob"), "thought").encode();
        var signature = Arrays.copyOfRange(one, one.length - 71, one.length);
        var mixed = Arrays.copyOf(other, other.length + signature.length);
        System.arraycopy(signature, 0, mixed, other.length, signature.length);

        assertRefused(mixed);
    }

    @Test
    void h2AFenceThatNoWorkerSignedOpensNothing() {
        // Given the frames of an attempt that somebody without a worker's key made up
        var asked = Asked.of("acme", "bob");
        var frames = new ArrayList<>(bus.attempt(asked, 1, OPTED_IN, "made up"));
        frames.set(0, Frame.decode(frames.getFirst()).withProof(new byte[0]).encode());
        // When
        var opened = open(bus.partial(asked, OwnerEnd.Reason.EXPIRED, false, frames));
        // Then
        assertThat(opened.trace().segments()).isEmpty();
        assertThat(opened.ending()).isEqualTo(new RecordEnding.ByOwner(OwnerEnd.Reason.EXPIRED, false, 2));
    }

    @Test
    void h2AMutatedTraceIsRefusedOrWhatWasRecorded() {
        // Given
        var recorded = new ArrayList<ConsumerRecord<String, byte[]>>();
        var traces = new HashSet<Trace>();
        for (var asked : List.of(Asked.of("acme", "alice"), Asked.of("other", "bob"))) {
            for (var trace : List.of(
                    bus.whole(asked, "They ask.", "I answer."),
                    bus.partial(
                            asked, OwnerEnd.Reason.EXPIRED, false, bus.attempt(asked, 1, OPTED_IN, "They ", "ask.")))) {
                recorded.add(new ConsumerRecord<>(Topic.AUDIT, 0, 0, asked.id().toString(), bus.signed(trace)));
                traces.add(open(trace).trace());
            }
        }
        var mutator = new RecordMutator(20_261_123, recorded);
        for (int i = 0; i < 2_000; i++) {
            var mutation = mutator.next();
            try {
                // When
                var opened = TraceOpener.open(KafkaClients.body(mutation.record()), audit);
                // Then
                assertThat(opened.received().encode())
                        .isEqualTo(TraceRecord.decode(mutation.origin().value()).encode());
                assertThat(traces).contains(opened.trace());
            } catch (SealException | MalformedMessageException e) {
                assertThat(mutation.record()).isNotSameAs(mutation.origin());
            }
        }
    }

    private static byte[] signed(ServiceRole by, SignedRecord kind, TraceRecord record) {
        return KeyRing.load(keys, by).signatures().sign(kind, Topic.AUDIT, record.encode());
    }

    private static void assertRefused(byte[] record) {
        assertThatThrownBy(() -> TraceOpener.open(record, audit)).isInstanceOf(SealException.class);
    }

    private static NewRecord open(TraceRecord record) {
        return TraceOpener.open(bus.signed(record), audit);
    }
}
