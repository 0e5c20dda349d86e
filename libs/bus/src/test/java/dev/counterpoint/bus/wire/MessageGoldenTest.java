package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.ReasoningBond;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes under `golden/` are the contract between versions: a service of this version reads them, and
/// writes the same for the same message. They are never changed, only added to. For a new one, run this test:
/// its failure shows the bytes.
class MessageGoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    static Stream<MessageGolden> goldens() {
        return MessageGoldens.ALL.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void writesTheGoldenBytes(MessageGolden golden) {
        assertThat(hex(golden.bytes())).isEqualTo(file(golden.name()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void readsTheGoldenBytes(MessageGolden golden) {
        assertThat(golden.decoder().apply(bytes(golden.name())))
                .usingRecursiveComparison()
                .withEqualsForType(ReasoningBond::equals, ReasoningBond.class)
                .isEqualTo(golden.message());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void everyKindOfFrameHasAGolden(FrameKind kind) {
        assertThat(MessageGoldens.ALL)
                .anySatisfy(golden -> assertThat(golden.message())
                        .isInstanceOfSatisfying(
                                Frame.class, frame -> assertThat(frame.kind()).isEqualTo(kind)));
    }

    @ParameterizedTest
    @FieldSource("dev.counterpoint.bus.wire.Codec#ALL")
    void everyCodecHasAGolden(Codec<?> codec) {
        assertThat(MessageGoldens.ALL).extracting(MessageGolden::name).anyMatch(name -> name.startsWith(codec.name()));
    }

    @Test
    void everyFileIsReadBySomeTest() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".hex", "")))
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                    MessageGoldens.ALL.stream().map(MessageGolden::name),
                                    Stream.of(
                                            "accepted-isolated",
                                            "future-frame",
                                            "future-frame-kind",
                                            "future-job-ticket",
                                            "reissue",
                                            "reissue-isolated",
                                            "version-2",
                                            "version-3"))
                            .toList());
        }
    }

    @Test
    void aFrameWithFieldsOfTheFutureIsReadAndKeepsThem() {
        // Given the golden delta frame with a number, a text, fixed bits and a message that nobody knows yet
        var bytes = bytes("future-frame");
        // When
        var frame = Frame.decode(bytes);
        // Then
        assertThat(frame)
                .usingRecursiveComparison()
                .ignoringFields("unknown")
                .isEqualTo(Frame.decode(bytes("frame-delta")));
        assertThat(frame.unknown().set().asMap()).containsOnlyKeys(20, 21, 22, 23);
        assertThat(hex(frame.encode())).isEqualTo(file("future-frame"));
    }

    @Test
    void aFrameOfAKindOfTheFutureIsReadAsUnknown() {
        assertThat(Frame.decode(bytes("future-frame-kind")).kind()).isEqualTo(FrameKind.UNKNOWN);
    }

    @Test
    void aTicketWithFieldsAndARoleOfTheFutureIsReadAndTheRoleGetsNoKey() {
        // When
        var ticket = JobTicket.decode(bytes("future-job-ticket"));
        // Then
        assertThat(ticket)
                .usingRecursiveComparison()
                .ignoringFields("unknown")
                .isEqualTo(JobTicket.decode(bytes("job-ticket")));
        assertThat(ticket.again(3).unknown().set().asMap()).containsOnlyKeys(20);
    }

    @Test
    void aFieldOfThePastIsPassedOver() {
        assertThat(Accepted.decode(bytes("accepted-isolated")))
                .usingRecursiveComparison()
                .isEqualTo(Accepted.decode(bytes("accepted")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reissue", "reissue-isolated"})
    void aReissueWithOrWithoutTheFieldOfThePastHasAReadableBody(String golden) {
        var body = Wire.parse(BusProto.Reissue.parser(), bytes(golden));

        assertThat(hex(body.toByteArray())).isEqualTo(file(golden));
    }

    @Test
    void versionThreeIsRefusedByName() {
        assertThatThrownBy(() -> Frame.decode(bytes("version-3")))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("a message of version 3; this reader knows version 1 to 2");
    }

    @Test
    void anIdOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> Frame.decode(bytes("version-2")))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("bytes are no id of a response");
    }

    private static byte[] bytes(String name) {
        return HexFormat.of().parseHex(file(name));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String file(String name) {
        try {
            return Files.readString(FOLDER.resolve(name + ".hex")).replaceAll("\\s", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
