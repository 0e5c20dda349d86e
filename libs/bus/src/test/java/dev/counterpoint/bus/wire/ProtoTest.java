package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The records write and read the messages of `bus.proto`, no more and no less.
class ProtoTest {
    private static final int SAMPLES = 300;

    @Property(shrinking = ShrinkingMode.BOUNDED)
    void protobufWritesTheSameBytesAsTheRecords(@ForAll("examples") Codec.Example<?> example) {
        assertWrittenAsTheProtoSays(messageOf(example.codec().name()), example.bytes());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("dev.counterpoint.bus.wire.MessageGoldens#ALL")
    void protobufWritesTheGoldenBytes(MessageGolden golden) {
        assertWrittenAsTheProtoSays(golden.message().getClass().getSimpleName(), golden.bytes());
    }

    private static void assertWrittenAsTheProtoSays(String message, byte[] bytes) {
        var parsed = Proto.parse(message, bytes);
        if (message.equals("GenerationJob")) {
            // The one message that is not written in the order of its numbers: `stop` comes before `seed`.
            assertThat(sorted(parsed.toByteArray())).isEqualTo(sorted(bytes));
        } else {
            assertThat(proofLast(parsed)).isEqualTo(bytes);
        }
        assertThat(Proto.withNested(parsed).flatMap(ProtoTest::unknownFields)).allMatch(field -> field >= 100);
    }

    /// A proof stands after everything that it covers, fields of newer versions too.
    private static byte[] proofLast(Message parsed) {
        var proof = parsed.getDescriptorForType().findFieldByName("proof");
        if (proof == null || !parsed.hasField(proof)) {
            return parsed.toByteArray();
        }
        var covered = parsed.toBuilder().clearField(proof).build().toByteArray();
        var alone = parsed.newBuilderForType()
                .setField(proof, parsed.getField(proof))
                .build()
                .toByteArray();
        var all = Arrays.copyOf(covered, covered.length + alone.length);
        System.arraycopy(alone, 0, all, covered.length, alone.length);
        return all;
    }

    /// Messages of this version have none, but for those from 100 that tests make up.
    private static Stream<Integer> unknownFields(Message message) {
        return message.getUnknownFields().asMap().keySet().stream();
    }

    private static byte[] sorted(byte[] bytes) {
        var sorted = bytes.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    @Example
    void everyFieldOfTheProtoIsWritten() {
        for (var codec : Codec.ALL) {
            var message = messageOf(codec.name());
            Set<String> written = new TreeSet<>();
            codec.examples()
                    .sampleStream()
                    .limit(SAMPLES)
                    .flatMap(example -> Proto.withNested(Proto.parse(message, example.bytes())))
                    .flatMap(part -> part.getAllFields().keySet().stream())
                    .map(FieldDescriptor::getFullName)
                    .forEach(written::add);
            assertThat(Proto.fields(message)).as(message).isSubsetOf(written);
        }
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
        assertThat(Arrays.stream(type.getEnumConstants()).collect(Collectors.toMap(Object::toString, Numbered::number)))
                .isEqualTo(Proto.constants(type.getSimpleName()));
    }

    /// `job-ticket` is `JobTicket`.
    private static String messageOf(String codec) {
        return Arrays.stream(codec.split("-"))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }

    @Provide
    Arbitrary<Codec.Example<?>> examples() {
        return Arbitraries.oneOf(Codec.ALL.stream()
                .<Arbitrary<Codec.Example<?>>>map(codec -> codec.examples().map(example -> example))
                .toList());
    }
}
