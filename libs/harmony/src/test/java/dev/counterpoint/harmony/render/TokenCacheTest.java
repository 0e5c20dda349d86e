package dev.counterpoint.harmony.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenCacheTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final String OWNER = "tenant";
    private static final String LONG = "Always answer in one sentence. ".repeat(40);

    @Test
    void aKnownTextGivesTheSameTokensAgain() {
        var cache = new TokenCache(10_000);
        assertThat(encoded(cache, LONG)).isEqualTo(TOKENIZER.encode(LONG));
        assertThat(cache.size()).isPositive();
        assertThat(encoded(cache, LONG)).isEqualTo(TOKENIZER.encode(LONG));
        assertThat(cache.size()).isEqualTo(TOKENIZER.encode(LONG).length);
    }

    @Test
    void itHoldsNoMoreThanItsBoundAndForgetsWhatWasNotUsedLongest() {
        // Given room for two of three texts
        int each = TOKENIZER.encode(LONG + "1").length;
        var cache = new TokenCache(2 * each);
        encoded(cache, LONG + "1");
        encoded(cache, LONG + "2");
        encoded(cache, LONG + "1");
        // When
        encoded(cache, LONG + "3");
        // Then
        assertThat(cache.size()).isEqualTo(2 * each);
        assertThat(cache.holds(OWNER, LONG + "1")).isTrue();
        assertThat(cache.holds(OWNER, LONG + "2")).isFalse();
        assertThat(cache.holds(OWNER, LONG + "3")).isTrue();
    }

    @Test
    void shortTextsAndThoseLongerThanTheBoundAreNotKept() {
        var cache = new TokenCache(100);
        encoded(cache, "short");
        encoded(cache, LONG);
        assertThat(cache.size()).isZero();
    }

    @Test
    void nobodyFindsTheTextOfAnotherOwner() {
        var cache = new TokenCache(10_000);
        encoded(cache, LONG);
        assertThat(cache.holds("another", LONG)).isFalse();
    }

    @Test
    void aKeptConversationIsRenderedAsItWasAtFirst() {
        var renderer = new HarmonyRenderer(TOKENIZER, RenderOptions.production());
        var conversation = Conversation.of(Message.user(LONG), Message.assistant(Channels.FINAL, LONG + "Yes."));
        var plain = renderer.renderForCompletion(conversation, Role.ASSISTANT);
        for (int turn = 0; turn < 2; turn++) {
            assertThat(renderer.renderForCompletion(conversation, Role.ASSISTANT, OWNER))
                    .isEqualTo(plain);
        }
    }

    @Test
    void schemasThatDifferOnlyInTheirOrderAreTwoTexts() {
        var renderer = new HarmonyRenderer(TOKENIZER, RenderOptions.production());
        var texts = IntStream.of(1, 2)
                .mapToObj(first -> TOKENIZER.decode(renderer.render(Conversation.of(Message.developer(
                        Content.DeveloperContent.withFunctions(LONG, List.of(tool("p" + first, "p" + (3 - first)))))))))
                .toList();
        assertThat(texts.get(0)).contains("p1?: string,\np2?: string");
        assertThat(texts.get(1)).contains("p2?: string,\np1?: string");
    }

    private static ToolDescription tool(String... properties) {
        var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        var members = schema.putObject("properties");
        for (String property : properties) {
            members.putObject(property).put("type", "string");
        }
        return new ToolDescription("f", "Does f.", schema);
    }

    private static int[] encoded(TokenCache cache, String text) {
        var out = new TokenBuffer(16);
        cache.encode(OWNER, text, TOKENIZER, out);
        return out.toArray();
    }
}
