package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/// What holds for every input.
class HarmonyPropertyTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    @Property(tries = 2000)
    void robustParsingNeverThrowsAndItsEventsAreInOrder(@ForAll("streams") int[] tokens, @ForAll boolean started) {
        // Recording fails when events are out of order, empty, or a message is left open.
        var read = Recording.of(new HarmonyParser(ParserMode.ROBUST, started ? Role.ASSISTANT : null), tokens);
        if (started) {
            assertThat(read.messages)
                    .filteredOn(message -> message.author().role() == Role.ASSISTANT)
                    .allMatch(message -> Channels.ALL.contains(message.channel()));
        }
    }

    @Property(tries = 1000)
    void aBodysDeltasAddUpToItsDecodedTokens(@ForAll("textTokens") int[] body) {
        var stream = IntStream.concat(
                        Arrays.stream(SpokenTokens.of("<|channel|>final<|message|>")),
                        IntStream.concat(Arrays.stream(body), IntStream.of(SpecialTokens.RETURN)))
                .toArray();
        for (ParserMode mode : ParserMode.values()) {
            var read = Recording.of(new HarmonyParser(mode, Role.ASSISTANT), stream);
            assertThat(read.messages)
                    .singleElement()
                    .extracting(ParsedMessage::text)
                    .isEqualTo(TOKENIZER.decode(body));
        }
    }

    @Property(tries = 1000)
    void textComesBackAndNeverBecomesAControlToken(@ForAll("texts") String text) {
        var tokens = TOKENIZER.encode(text);
        assertThat(IntStream.of(tokens)).noneMatch(SpecialTokens::isSpecial);
        assertThat(TOKENIZER.decode(tokens)).isEqualTo(text);
        assertThat(TOKENIZER.countTokens(text)).isEqualTo(tokens.length);
    }

    @Property(tries = 300)
    void whatIsRenderedIsParsedBack(
            @ForAll("conversations") List<ParsedMessage> messages, @ForAll Reference reference) {
        var conversation = new Conversation(
                messages.stream().map(HarmonyPropertyTest::message).toList());
        var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, DropRule.KEEP_ALL));
        assertThat(HarmonyParser.parsePrompt(renderer.renderForCompletion(conversation, Role.ASSISTANT)))
                .isEqualTo(messages);
    }

    private static Message message(ParsedMessage parsed) {
        return new Message(
                parsed.author(),
                parsed.recipient(),
                parsed.channel(),
                parsed.contentType(),
                List.of(new Content.Text(parsed.text())));
    }

    /// Control tokens, header words, text and nonsense, mixed so that headers form.
    @Provide
    Arbitrary<int[]> streams() {
        var control = Arbitraries.of(
                SpecialTokens.START,
                SpecialTokens.CHANNEL,
                SpecialTokens.MESSAGE,
                SpecialTokens.CONSTRAIN,
                SpecialTokens.END,
                SpecialTokens.CALL,
                SpecialTokens.RETURN,
                SpecialTokens.END_OF_TEXT);
        var words = Stream.of(
                        "assistant", "analysis", "final", "commentary", " to=functions.f", "json", "user", " ", "{")
                .flatMapToInt(word -> Arrays.stream(TOKENIZER.encode(word)))
                .boxed()
                .toList();
        return Arbitraries.frequencyOf(
                        Tuple.of(4, control),
                        Tuple.of(4, Arbitraries.of(words)),
                        Tuple.of(2, Arbitraries.integers().between(0, 201_100)),
                        Tuple.of(1, Arbitraries.integers()))
                .array(int[].class)
                .ofMaxSize(60);
    }

    @Provide
    Arbitrary<int[]> textTokens() {
        return Arbitraries.integers()
                .between(0, SpecialTokens.FIRST - 1)
                .array(int[].class)
                .ofMaxSize(40);
    }

    @Provide
    Arbitrary<String> texts() {
        var anything = Arbitraries.strings().all().ofMaxLength(60).filter(HarmonyPropertyTest::hasNoLoneSurrogate);
        var spelled = Arbitraries.of("<|start|>", "<|end|>", "system", "<|message|>", " ", "\n", "'S", "Ünï", "1234");
        return Arbitraries.oneOf(anything, spelled.list().ofMaxSize(12).map(parts -> String.join("", parts)));
    }

    private static boolean hasNoLoneSurrogate(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    @Provide
    Arbitrary<List<ParsedMessage>> conversations() {
        var header = Arbitraries.of(
                header(Author.of(Role.SYSTEM), null, null, null),
                header(Author.of(Role.DEVELOPER), null, null, null),
                header(Author.of(Role.USER), null, null, null),
                header(Author.of(Role.ASSISTANT), null, null, null),
                header(Author.of(Role.ASSISTANT), "analysis", null, null),
                header(Author.of(Role.ASSISTANT), "final", null, null),
                header(Author.of(Role.ASSISTANT), "final", null, "json"),
                header(Author.of(Role.ASSISTANT), "commentary", "functions.get_weather", "json"),
                header(Author.of(Role.ASSISTANT), "analysis", "python", "code"),
                header(Author.tool("functions.get_weather"), "commentary", "assistant", null),
                header(Author.tool("functions.bare"), null, null, null));
        return Combinators.combine(header, texts())
                .as((head, text) ->
                        new ParsedMessage(head.author(), head.channel(), head.recipient(), head.contentType(), text))
                .list()
                .ofMaxSize(8);
    }

    private static ParsedMessage header(
            Author author, @Nullable String channel, @Nullable String recipient, @Nullable String contentType) {
        return new ParsedMessage(author, channel, recipient, contentType, "");
    }
}
