package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.ReasoningBond;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds of every kind of message.
class CodecTest {
    private static final int DAMAGES = 20;

    @Property(shrinking = ShrinkingMode.BOUNDED)
    void whatIsWrittenIsReadBack(@ForAll("examples") Codec.Example<?> example) {
        assertThat(example.decoded())
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .withEqualsForType(ReasoningBond::equals, ReasoningBond.class)
                .isEqualTo(example.value());
    }

    @Property(tries = 2_000)
    void randomBytesAreReadOrRefusedAsMalformed(@ForAll byte[] noise) {
        Codec.ALL.forEach(codec -> assertReadOrRefused(codec, noise));
    }

    @Property
    void damagedMessagesAreReadOrRefusedAsMalformed(@ForAll("examples") Codec.Example<?> example, @ForAll long seed) {
        var random = new Random(seed);
        for (int i = 0; i < DAMAGES && example.bytes().length > 0; i++) {
            var flipped = example.bytes().clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            assertReadOrRefused(example.codec(), flipped);
            assertReadOrRefused(
                    example.codec(), Arrays.copyOf(example.bytes(), random.nextInt(example.bytes().length)));
        }
    }

    private static void assertReadOrRefused(Codec<?> codec, byte[] bytes) {
        var thrown = catchThrowable(() -> codec.decoder().apply(bytes));
        if (thrown != null) {
            assertThat(thrown).as(codec.name()).isInstanceOf(MalformedMessageException.class);
        }
    }

    /// Lengths of two gigabytes and less than nothing, a text that is no UTF-8, half an id, an id that is too
    /// long, and the end of a group that never began.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1affffffff07",
                "1affffffffffffffffff01",
                "1a02c328",
                "120205c8",
                "120b8080808080808080808001",
                "0c"
            })
    void damagedBytesAreMalformed(String delta) {
        var bytes = HexFormat.of().parseHex(delta);

        assertThatThrownBy(() -> Delta.decode(bytes))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageStartingWith("not a valid message");
    }

    @Test
    void aNumberThatDoesNotFitIsMalformed() {
        var large = BusProto.End.newBuilder().setInputTokens(1L << 40).build().toByteArray();

        assertThatThrownBy(() -> End.decode(large))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("a number is out of range");
    }

    @Test
    void aNewerMajorVersionIsRefusedByItsNumberWhateverFollowsIt() {
        // Given a message whose second field is none of ours
        var newer =
                BusProto.End.newBuilder().setFinish(2).setInputTokens(5).build().toByteArray();
        var versioned = Codec.ALL.stream()
                .filter(codec -> Set.of(
                                "job-ticket",
                                "stop-command",
                                "suspect-report",
                                "draft-request",
                                "draft-answer",
                                "heartbeat",
                                "audit-terms",
                                "trace-record",
                                "trace",
                                "access-entry",
                                "closing",
                                "erase")
                        .contains(codec.name()));
        // Then
        assertThat(versioned)
                .hasSize(12)
                .allSatisfy(codec -> assertThatThrownBy(() -> codec.decoder().apply(newer))
                        .isInstanceOf(MalformedMessageException.class)
                        .hasMessage("a message of version 2; this reader knows version 1 only"));
    }

    @Test
    void aPromptItemOfANewerKindIsRefusedBecauseAPromptWithAHoleMustNotRun() {
        var job = BusProto.GenerationJob.newBuilder()
                .addPrompt(BusProto.GenerationJob.PromptItem.getDefaultInstance())
                .build();

        assertThatThrownBy(() -> GenerationJob.decode(job.toByteArray()))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("a prompt item of an unknown kind");
    }

    @Test
    void anEndNamesTheCallsThatNobodyDeclared() {
        var names = List.of("container.exec", "");
        var end = new End(End.Finish.CONTENT_FILTER, 1, 0, 1, 0, 1, End.Reasoning.TOLD, names);

        assertThat(End.decode(end.encode())).isEqualTo(end);
    }

    @Test
    void nestingWithoutEndIsRefusedWithoutRecursion() {
        var nested = BusProto.Delta.TokenLogprob.getDefaultInstance();
        for (int depth = 0; depth < 3_000; depth++) {
            nested = BusProto.Delta.TokenLogprob.newBuilder().addTop(nested).build();
        }
        var delta = BusProto.Delta.newBuilder().addLogprobs(nested).build().toByteArray();

        assertThatThrownBy(() -> Delta.decode(delta)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void halfASurrogatePairBecomesAQuestionMark() {
        var delta = new Delta(null, new int[0], "a\uD83Db", false, List.of());
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of("\uD83D"), "a\uD83Db");

        assertThat(Delta.decode(delta.encode()).text()).isEqualTo("a?b");
        assertThat(SummaryJob.decode(job.encode()).confidential()).containsExactly("?");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Lane.class,
                FrameKind.class,
                End.Finish.class,
                End.Reasoning.class,
                OwnerEnd.Reason.class,
                ToolChoice.Mode.class,
                SummaryJob.Detail.class,
                AccessEntry.Action.class,
                SuspectReport.Finding.class,
                DraftAnswer.Outcome.class,
                SummaryTier.class,
                Topic.Band.class
            })
    void constantsHaveTheNumbersOfTheProto(Class<? extends Numbered> type) {
        var prefix = type.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(Locale.ROOT) + "_";
        var numbers = BusProto.getDescriptor().findEnumTypeByName(type.getSimpleName()).getValues().stream()
                .filter(value -> !value.getName().endsWith("_UNSPECIFIED"))
                .collect(Collectors.toMap(
                        value -> value.getName().substring(prefix.length()), EnumValueDescriptor::getNumber));

        assertThat(Arrays.stream(type.getEnumConstants()).collect(Collectors.toMap(Object::toString, Numbered::number)))
                .isEqualTo(numbers);
    }

    @Provide
    Arbitrary<Codec.Example<?>> examples() {
        return Arbitraries.oneOf(Codec.ALL.stream()
                .<Arbitrary<Codec.Example<?>>>map(codec -> codec.examples().map(example -> example))
                .toList());
    }
}
