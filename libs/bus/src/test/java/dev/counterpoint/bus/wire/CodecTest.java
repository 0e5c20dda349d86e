package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.UnknownFieldSet;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.PromptItem;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/// What holds of every kind of message.
class CodecTest {
    private static final int FLIPS = 20;

    @Property(shrinking = ShrinkingMode.BOUNDED)
    void whatIsWrittenIsReadBack(@ForAll("examples") Codec.Example<?> example) {
        assertThat(example.decoded())
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .isEqualTo(example.value());
    }

    @Property
    void fieldsOfNewerVersionsArePassedOver(@ForAll("examples") Codec.Example<?> example) {
        // Given
        var newer = new FieldWriter()
                .number(900, 7)
                .text(901, "new")
                .bits(902, -1)
                .message(903, "nested", (inner, text) -> inner.text(1, text))
                .toBytes();
        // When
        var read = example.codec().decoder().apply(joined(example.bytes(), newer));
        // Then
        assertThat(read)
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .ignoringFieldsMatchingRegexes("unknown")
                .isEqualTo(example.value());
    }

    @Property
    void aFrameKeepsTheFieldsOfNewerVersions(@ForAll("frames") Frame frame) {
        var newer = joined(frame.encode(), new FieldWriter().text(901, "kept").toBytes());

        assertThat(Frame.decode(Frame.decode(newer).encode()).unknown().set()).isEqualTo(withText901(frame.unknown()));
    }

    @Property
    void aTicketKeepsTheFieldsOfNewerVersionsFromAttemptToAttempt(@ForAll("tickets") JobTicket ticket) {
        var newer = joined(ticket.encode(), new FieldWriter().text(901, "kept").toBytes());

        assertThat(JobTicket.decode(JobTicket.decode(newer).forAttempt(2).encode())
                        .unknown()
                        .set())
                .isEqualTo(withText901(ticket.unknown()));
    }

    private static UnknownFieldSet withText901(UnknownFields before) {
        return UnknownFieldSet.newBuilder(before.set())
                .mergeField(
                        901,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(com.google.protobuf.ByteString.copyFromUtf8("kept"))
                                .build())
                .build();
    }

    @Property(tries = 2_000)
    void randomBytesAreReadOrRefusedAsMalformed(@ForAll byte[] noise) {
        Codec.ALL.forEach(codec -> assertReadOrRefused(codec, noise));
    }

    @Property
    void truncatedMessagesAreReadOrRefusedAsMalformed(@ForAll("examples") Codec.Example<?> example) {
        for (int length = 0; length < example.bytes().length; length++) {
            assertReadOrRefused(example.codec(), Arrays.copyOf(example.bytes(), length));
        }
    }

    @Property
    void messagesWithFlippedBitsAreReadOrRefusedAsMalformed(
            @ForAll("examples") Codec.Example<?> example, @ForAll long seed) {
        var random = new Random(seed);
        for (int i = 0; i < FLIPS && example.bytes().length > 0; i++) {
            var damaged = example.bytes().clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            assertReadOrRefused(example.codec(), damaged);
        }
    }

    private static void assertReadOrRefused(Codec<?> codec, byte[] bytes) {
        var thrown = catchThrowable(() -> codec.decoder().apply(bytes));
        if (thrown != null) {
            assertThat(thrown).as(codec.name()).isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void aNewerMajorVersionIsRefusedByItsNumberWhateverFollowsIt() {
        // Given a message whose second field is none of ours
        var newer = new FieldWriter().number(1, 2).number(2, 5).toBytes();
        var versioned = Codec.ALL.stream()
                .filter(codec -> Set.of(
                                "frame",
                                "job-ticket",
                                "stop-command",
                                "suspect-report",
                                "draft-request",
                                "draft-answer",
                                "heartbeat",
                                "audit-terms",
                                "trace-record",
                                "trace",
                                "access-entry")
                        .contains(codec.name()));
        // Then
        assertThat(versioned)
                .hasSize(11)
                .allSatisfy(codec -> assertThatThrownBy(() -> codec.decoder().apply(newer))
                        .isInstanceOf(MalformedMessageException.class)
                        .hasMessage("a message of version 2; this reader knows version 1 only"));
    }

    @Test
    void aPromptItemOfANewerKindIsRefusedBecauseAPromptWithAHoleMustNotRun() {
        var job = new FieldWriter()
                .message(
                        1,
                        "a film",
                        (item, text) -> item.message(PromptItem.KINDS + 1, text, (inner, it) -> inner.text(1, it)))
                .toBytes();

        assertThatThrownBy(() -> GenerationJob.decode(job))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("a prompt item of an unknown kind");
    }

    @Test
    void aPromptItemMayGainAFieldOfAnyType() {
        var item = new FieldWriter()
                .message(
                        2,
                        "hello",
                        (inner, text) -> inner.text(1, text).number(2, 7).number(3, 8))
                .toBytes();

        assertThat(PromptItem.decode(new FieldReader(item))).isEqualTo(new PromptItem.User("hello"));
    }

    @Test
    void nestingWithoutEndIsRefusedWithoutRecursion() {
        byte[] nested = new byte[0];
        for (int depth = 0; depth < 3_000; depth++) {
            nested = new FieldWriter().bytes(4, nested).toBytes();
        }
        var delta = new FieldWriter().bytes(5, nested).toBytes();

        assertThatThrownBy(() -> Delta.decode(delta)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void halfASurrogatePairBecomesAQuestionMark() {
        var delta = new Delta(null, new int[0], "a\uD83Db", false, List.of());

        assertThat(Delta.decode(delta.encode()).text()).isEqualTo("a?b");
    }

    @Provide
    Arbitrary<Codec.Example<?>> examples() {
        return Arbitraries.oneOf(Codec.ALL.stream()
                .<Arbitrary<Codec.Example<?>>>map(codec -> codec.examples().map(example -> example))
                .toList());
    }

    @Provide
    Arbitrary<Frame> frames() {
        return SampleMessages.frames();
    }

    @Provide
    Arbitrary<JobTicket> tickets() {
        return SampleMessages.tickets();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        var all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }
}
