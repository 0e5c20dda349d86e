package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.parse.ParserMode;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// What holds for every text and every conversation.
class HarmonyPropertyTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    @Property(tries = 1000)
    void textComesBackAndNeverBecomesAControlToken(@ForAll("texts") String text) {
        var tokens = TOKENIZER.encode(text);
        assertThat(IntStream.of(tokens)).noneMatch(SpecialTokens::isSpecial);
        assertThat(TOKENIZER.decode(tokens)).isEqualTo(text);
        assertThat(TOKENIZER.countTokens(text)).isEqualTo(tokens.length);
    }

    @Property(tries = 1000)
    void whatIsRenderedIsParsedBack(
            @ForAll("conversations") List<ParsedMessage> messages, @ForAll ReferenceCodec reference) {
        assertThat(HarmonyParser.parsePrompt(render(messages, reference))).isEqualTo(messages);
    }

    @Property(tries = 1000)
    void theReferencesParseItBackToo(
            @ForAll("conversations") List<ParsedMessage> messages, @ForAll ReferenceCodec reference) {
        var readable = messages.stream()
                .filter(HarmonyPropertyTest::isReadableByReferences)
                .toList();
        for (ParserMode mode : List.of(ParserMode.STRICT, ParserMode.LENIENT)) {
            var tokens = render(readable, reference);
            var read = Recording.of(mode.open(reference, null), tokens);
            assertThat(read.messages)
                    .isEqualTo(readable.stream()
                            .map(message -> asReferencesRead(message, reference))
                            .toList());
        }
    }

    /// And a model's stream says the same to {@link HarmonyParser} as to them: nothing that is right is repaired.
    @Property(tries = 1000)
    void aWellFormedAnswerIsReadWithoutARepair(
            @ForAll("answers") List<ParsedMessage> messages, @ForAll ReferenceCodec reference) {
        var tokens = render(messages, reference);
        // Without <|start|>assistant, which the prompt ended with.
        var sampled = IntStream.of(tokens).skip(2).toArray();
        var read = Recording.of(new HarmonyParser(Role.ASSISTANT), sampled);
        assertThat(read.messages).isEqualTo(messages);
        assertThat(read.repairs).isEmpty();
    }

    @Property(tries = 1000)
    void noTextAddsAControlTokenToAPrompt(
            @ForAll("hostileTexts") List<String> texts, @ForAll ReferenceCodec reference) {
        var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, DropRule.KEEP_ALL));
        var hostile = renderer.renderForCompletion(conversation(i -> texts.get(i % texts.size())), Role.ASSISTANT);
        var harmless = renderer.renderForCompletion(conversation(i -> "x"), Role.ASSISTANT);
        assertThat(control(hostile)).isEqualTo(control(harmless));
    }

    private static int[] control(int[] tokens) {
        return IntStream.of(tokens).filter(SpecialTokens::isSpecial).toArray();
    }

    private static int[] render(List<ParsedMessage> messages, ReferenceCodec reference) {
        var conversation = new Conversation(
                messages.stream().map(HarmonyPropertyTest::message).toList());
        return new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, DropRule.KEEP_ALL)).render(conversation);
    }

    private static Message message(ParsedMessage parsed) {
        return new Message(
                parsed.author(),
                parsed.recipient(),
                parsed.channel(),
                parsed.contentType(),
                List.of(new Content.Text(parsed.text())));
    }

    /// They cannot read names of users, nor a tool or a content type without a recipient.
    private static boolean isReadableByReferences(ParsedMessage message) {
        boolean tool = message.author().role() == Role.TOOL;
        return tool == (message.author().name() != null)
                && (message.recipient() != null || !tool && message.contentType() == null);
    }

    private static ParsedMessage asReferencesRead(ParsedMessage message, ReferenceCodec reference) {
        boolean marked = message.contentType() != null && reference == ReferenceCodec.OSS_0_0_11;
        var type = marked ? "<|constrain|>" + message.contentType() : message.contentType();
        return new ParsedMessage(message.author(), message.channel(), message.recipient(), type, message.text());
    }

    /// A text at every place that takes one.
    private static Conversation conversation(IntFunction<String> text) {
        var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putObject("properties")
                .putObject(text.apply(0))
                .put("type", "string")
                .put("title", text.apply(1))
                .put("description", text.apply(2))
                .put("default", text.apply(3));
        var tool = new ToolDescription(text.apply(4), text.apply(5), schema);
        return Conversation.of(
                Message.system(SystemContent.defaults()
                        .withModelIdentity(text.apply(6))
                        .withConversationStartDate(text.apply(7))),
                Message.developer(DeveloperContent.withFunctions(text.apply(8), List.of(tool))),
                new Message(
                        new Author(Role.USER, text.apply(9)),
                        null,
                        null,
                        null,
                        List.of(new Content.Text(text.apply(10)))),
                Message.assistant(text.apply(11), text.apply(12)),
                Message.call(text.apply(13), Channels.COMMENTARY, "json", text.apply(14)),
                Message.toolResult(text.apply(15), text.apply(16)),
                Message.assistant(Channels.FINAL, text.apply(17)));
    }

    @Provide
    Arbitrary<List<String>> hostileTexts() {
        return spelled().list().ofMinSize(1).ofMaxSize(18);
    }

    @Provide
    Arbitrary<String> texts() {
        var anything = Arbitraries.strings().all().ofMaxLength(60).filter(HarmonyPropertyTest::hasNoLoneSurrogate);
        return Arbitraries.oneOf(anything, spelled());
    }

    /// Full of what spells control tokens, and of what the tokenizer finds hard.
    private static Arbitrary<String> spelled() {
        var names = IntStream.rangeClosed(SpecialTokens.FIRST, SpecialTokens.LAST)
                .mapToObj(SpecialTokens::text)
                .toList();
        var pieces = Arbitraries.of(
                "<|start|>",
                "<|end|>",
                "<|message|>",
                "<|channel|>",
                "<|constrain|>",
                "<|call|>",
                "<|return|>",
                "<|",
                "|>",
                "system",
                "final",
                "to=",
                " ",
                "\n",
                "'S",
                "Ünï",
                "1234",
                "👩‍🚀",
                "\r\n",
                "\u00a0");
        return Arbitraries.oneOf(pieces, Arbitraries.of(names))
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    private static boolean hasNoLoneSurrogate(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    @Provide
    Arbitrary<List<ParsedMessage>> conversations() {
        var people = Arbitraries.of(Role.SYSTEM, Role.DEVELOPER, Role.USER, Role.ASSISTANT)
                .flatMap(role -> names().injectNull(0.8).map(name -> new Author(role, name)));
        var tools = names().map(name -> Author.tool("functions." + name));
        return Combinators.combine(
                        Arbitraries.oneOf(people, tools),
                        channels().injectNull(0.3),
                        Arbitraries.oneOf(recipients(), Arbitraries.just("assistant"))
                                .injectNull(0.5),
                        Arbitraries.oneOf(types(), names()).injectNull(0.6),
                        texts())
                .as(ParsedMessage::new)
                .withoutEdgeCases()
                .list()
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<List<ParsedMessage>> answers() {
        return Combinators.combine(
                        Arbitraries.just(Author.of(Role.ASSISTANT)),
                        channels(),
                        recipients().injectNull(0.6),
                        types().injectNull(0.6),
                        texts())
                .as(ParsedMessage::new)
                // Commentary for the user has no type.
                .filter(message -> message.recipient() != null
                        || message.contentType() == null
                        || !Channels.COMMENTARY.equals(message.channel()))
                .withoutEdgeCases()
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    private static Arbitrary<String> channels() {
        return Arbitraries.of(Channels.ALL);
    }

    private static Arbitrary<String> types() {
        return Arbitraries.of("json", "code", "text");
    }

    private static Arbitrary<String> recipients() {
        return Arbitraries.oneOf(
                names().map(name -> "functions." + name), Arbitraries.of("python", "browser.search", "container.exec"));
    }

    private static Arbitrary<String> names() {
        return Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars("_-.")
                .ofMinLength(1)
                .ofMaxLength(16);
    }
}
