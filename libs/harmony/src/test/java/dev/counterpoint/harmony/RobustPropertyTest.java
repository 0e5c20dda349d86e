package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParserMode;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/// What {@link HarmonyParser} promises for every sequence of ids. {@link Recording} fails when events are out of
/// order, empty, hold half a character, or leave a message open.
class RobustPropertyTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final int[] FINAL = SpokenTokens.of("<|channel|>final<|message|>");

    @Property(tries = 3000)
    void nothingMakesItThrowAndItsEventsAreInOrder(@ForAll("streams") int[] tokens, @ForAll boolean started) {
        var read = Recording.of(parser(started), tokens);
        if (started) {
            assertThat(read.messages)
                    .filteredOn(message -> message.author().role() == Role.ASSISTANT)
                    .allMatch(message -> Channels.ALL.contains(message.channel()));
            // What is made up in another's name is for nobody.
            assertThat(read.messages)
                    .filteredOn(message -> message.author().role() != Role.ASSISTANT && message.recipient() == null)
                    .allMatch(message ->
                            message.channel() == null || message.channel().equals(Channels.ANALYSIS));
        }
    }

    @Property(tries = 2000)
    void theEndMayComeAtAnyTimeAndMoreThanOnce(
            @ForAll("streams") int[] before, @ForAll("streams") int[] after, @ForAll boolean started) {
        for (boolean cut : List.of(true, false)) {
            var parser = parser(started);
            var recording = new Recording();
            recording.take(parser, before);
            end(parser, cut, recording);
            recording.requireClosed();
            assertThat(parser.insideMessage()).isFalse();
            int said = recording.events.size();
            end(parser, cut, recording);
            assertThat(recording.events).hasSize(said);
            recording.take(parser, after);
            parser.finish(recording);
            recording.requireClosed();
        }
    }

    @Property(tries = 2000)
    void howTokensAreBatchedMakesNoDifference(
            @ForAll("streams") int[] tokens, @ForAll("lengths") List<Integer> lengths) {
        // Given each batch with a sink of its own, as a caller has it that publishes batches
        var parser = parser(true);
        var batched = new ArrayList<HarmonyEvent>();
        int at = 0;
        for (int length : lengths) {
            int to = Math.min(tokens.length, at + length);
            var batch = new ArrayList<HarmonyEvent>();
            Arrays.stream(tokens, at, to).forEach(token -> parser.accept(token, batch::add));
            batched.addAll(batch);
            at = to;
        }
        Arrays.stream(tokens, at, tokens.length).forEach(token -> parser.accept(token, batched::add));
        parser.finish(batched::add);
        assertThat(batched).isEqualTo(Recording.of(parser(true), tokens).events);
    }

    @Property(tries = 1000)
    void aWholePromptReadsAsItDoesTokenByToken(@ForAll("streams") int[] tokens) {
        assertThat(HarmonyParser.parsePrompt(tokens)).isEqualTo(Recording.of(parser(false), tokens).messages);
    }

    @Property(tries = 2000)
    void aBodysDeltasAddUpToItsDecodedTokens(@ForAll("bodies") int[] body) {
        var stream = Stream.of(FINAL, body, new int[] {SpecialTokens.RETURN})
                .flatMapToInt(Arrays::stream)
                .toArray();
        for (ParserMode mode : ParserMode.values()) {
            var read = Recording.of(mode.open(ReferenceCodec.OSS_0_0_11, Role.ASSISTANT), stream);
            var deltas = read.events.stream()
                    .filter(TextDelta.class::isInstance)
                    .map(delta -> ((TextDelta) delta).text())
                    .collect(Collectors.joining());
            assertThat(deltas).isEqualTo(TOKENIZER.decode(body));
        }
    }

    @Property(tries = 2000)
    void textComesOutAsSoonAsItsCharactersAreWhole(@ForAll("bodies") int[] body) {
        var parser = parser(true);
        var recording = new Recording();
        recording.take(parser, FINAL);
        for (int length = 1; length <= body.length; length++) {
            recording.take(parser, new int[] {body[length - 1]});
            var soFar = TOKENIZER.decode(Arrays.copyOf(body, length));
            // What is held back is at most one unfinished character.
            assertThat(soFar).startsWith(recording.openText());
            assertThat(soFar.substring(recording.openText().length())).isIn("", "\uFFFD");
        }
    }

    /// Only the names of two channels let text out, `<|return|>` and the end of a whole stream aside.
    @Property(tries = 3000, maxDiscardRatio = 20)
    void whatNoHeaderCallsFinalOrCommentaryIsNotShown(@ForAll("secretStreams") int[] tokens) {
        var recording = new Recording();
        var parser = parser(true);
        recording.take(parser, tokens);
        parser.cutOff(recording);
        assertThat(recording.shown()).isEmpty();
    }

    private static void end(HarmonyParser parser, boolean cut, Recording recording) {
        if (cut) {
            parser.cutOff(recording);
        } else {
            parser.finish(recording);
        }
    }

    private static HarmonyParser parser(boolean started) {
        return new HarmonyParser(started ? Role.ASSISTANT : null);
    }

    /// Control tokens, header words, text and nonsense, mixed so that headers form.
    @Provide
    Arbitrary<int[]> streams() {
        return streams(
                List.of("assistant", "analysis", "final", "commentary", " to=functions.f", "json", "user", " ", "{"),
                SpecialTokens.CALL,
                SpecialTokens.RETURN,
                SpecialTokens.END_OF_TEXT);
    }

    @Provide
    Arbitrary<int[]> secretStreams() {
        return streams(
                        List.of("assistant", "analysis", " to=functions.f", " to", "json", " ", "{", "??", "secret"),
                        SpecialTokens.CALL)
                .filter(tokens -> !namesAnOpenChannel(tokens));
    }

    private static boolean namesAnOpenChannel(int[] tokens) {
        // Headers leave out ids that mean nothing, even in the middle of a word.
        var words = IntStream.of(tokens)
                .filter(token -> token >= 0 && token < SpecialTokens.FIRST)
                .toArray();
        var text = TOKENIZER.decode(words).toLowerCase(Locale.ROOT);
        return text.contains("fin") || text.contains("com");
    }

    private static Arbitrary<int[]> streams(List<String> words, Integer... stops) {
        var control = Arbitraries.of(Stream.concat(
                        Stream.of(
                                SpecialTokens.START,
                                SpecialTokens.CHANNEL,
                                SpecialTokens.MESSAGE,
                                SpecialTokens.CONSTRAIN,
                                SpecialTokens.END),
                        Stream.of(stops))
                .toList());
        var pieces = words.stream()
                .flatMapToInt(word -> Arrays.stream(TOKENIZER.encode(word)))
                .boxed()
                .toList();
        return Arbitraries.frequencyOf(
                        Tuple.of(5, control),
                        Tuple.of(5, Arbitraries.of(pieces)),
                        Tuple.of(2, Arbitraries.integers().between(0, 201_100)),
                        Tuple.of(1, parts()),
                        Tuple.of(1, Arbitraries.integers()))
                .array(int[].class)
                .ofMaxSize(60);
    }

    /// Texts of any tokens, many of which hold parts of characters.
    @Provide
    Arbitrary<int[]> bodies() {
        var any = Arbitraries.integers().between(0, SpecialTokens.FIRST - 1);
        var emoji = Arbitraries.of("💖", "👩‍🚀", "世", "é", "한")
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .map(RobustPropertyTest::bytewise);
        return Arbitraries.frequencyOf(
                        Tuple.of(2, any.map(id -> new int[] {id})),
                        Tuple.of(1, parts().map(id -> new int[] {id})),
                        Tuple.of(2, emoji))
                .list()
                .ofMaxSize(30)
                .map(parts -> parts.stream().flatMapToInt(Arrays::stream).toArray());
    }

    /// Tokens of a single byte above ASCII.
    private static Arbitrary<Integer> parts() {
        return Arbitraries.of(BYTES);
    }

    private static final List<Integer> BYTES = IntStream.range(0, SpecialTokens.FIRST)
            .filter(id -> TOKENIZER.bytes(id).length == 1 && TOKENIZER.bytes(id)[0] < 0)
            .boxed()
            .toList();

    /// A text in tokens of one byte each.
    private static int[] bytewise(byte[] text) {
        return IntStream.range(0, text.length)
                .map(i -> BYTES.stream()
                        .filter(id -> TOKENIZER.bytes(id)[0] == text[i])
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }

    @Provide
    Arbitrary<List<Integer>> lengths() {
        return Arbitraries.integers().between(0, 9).list().ofMaxSize(12);
    }
}
