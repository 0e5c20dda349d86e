package dev.counterpoint.engine.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChatTemplateTest {
    private static final String SECRET = "the-secret-of-the-user";
    private static final String HELLO = "[{'role': 'user', 'content': '" + SECRET + "'}]";
    private static final String CALL =
            "[{'role': 'assistant', 'content': null, 'tool_calls': [{'function': {'arguments': '{\"a\": 1}'}}]}]";

    private static ChatTemplate template(String jinja) {
        return new ChatTemplate("small.gguf", jinja, Map.of("bos_token", "<s>"));
    }

    private static TemplateInput conversation(String messages, Map<String, JsonNode> arguments) {
        try {
            var read = (ArrayNode) new ObjectMapper()
                    .readTree(messages.replace('\'', '"').replace("\"{\"a\": 1}\"", "\"{\\\"a\\\": 1}\""));
            return new TemplateInput(read, null, arguments, true, LocalDateTime.of(2026, 1, 2, 3, 4, 5));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String render(String jinja, String messages) {
        return template(jinja).render(conversation(messages, Map.of()));
    }

    @Test
    void aTemplateThatCannotBeParsedIsRefusedWithItsNameAndLine() {
        assertThatThrownBy(() -> template("{{ bos_token }}\n{% for m in messages %}\n{{ m.content }"))
                .isInstanceOf(TemplateRefusedException.class)
                .hasMessageStartingWith("chat template small.gguf: line 3: syntax error: ");
    }

    @Test
    void aTemplatesOwnWordsOfRefusalArePassedOn() {
        assertThatThrownBy(() -> render("\n{{ raise_exception('Roles must alternate') }}", HELLO))
                .hasMessage("chat template small.gguf: line 2: Roles must alternate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ raise_exception('Unknown: ' + messages[0].content) }}",
                "{{ raise_exception(messages[0].content) }}",
                "{{ messages[0].content | nofilter }}",
                "{{ messages[0].content.nomethod() }}",
                "{{ messages[0].content + 1 }}",
                "{{ messages[0].content | int + messages }}",
                "{{ messages[0][messages[0].content].x }}",
                "{{ messages[0].content(1) }}",
                "{% include messages[0].content %}",
                "{% for a, b in messages[0].content %}{% endfor %}"
            })
    void aRefusalHoldsNothingOfTheConversation(String jinja) {
        assertThatThrownBy(() -> render(jinja, HELLO))
                .isInstanceOf(TemplateRefusedException.class)
                .hasMessageStartingWith("chat template small.gguf: ")
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @Test
    void fieldsOfMessagesThatAreNullAreLeftOut() {
        assertThat(render("{{ messages[0] }}", "[{'role': 'user', 'content': null, 'name': 'Ada'}]"))
                .isEqualTo("{'role': 'user', 'name': 'Ada'}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning", "reasoning_content", "thinking"})
    void reasoningHasEachNameThatTemplatesRead(String field) {
        assertThat(render(
                        "{{ messages[0].thinking }}, {{ messages[0].reasoning_content }}",
                        "[{'role': 'assistant', '" + field + "': 'because'}]"))
                .isEqualTo("because, because");
    }

    @Test
    void argumentsOfCallsAreObjects() {
        assertThat(render("{{ messages[0].tool_calls[0].function.arguments.a + 1 }}", CALL))
                .isEqualTo("2");
    }

    @Test
    void aTemplateThatRefusesObjectsGetsTextAndThatIsTriedFirstFromThenOn() {
        // Given
        var template = template("{% set a = messages[0].tool_calls[0].function.arguments %}"
                + "{% if strict and a is mapping %}{{ raise_exception('text, please') }}{% endif %}{{ a }}");
        // When
        String first = template.render(conversation(CALL, Map.of("strict", BooleanNode.TRUE)));
        String second = template.render(conversation(CALL, Map.of("strict", BooleanNode.FALSE)));
        // Then
        assertThat(first).isEqualTo("{\"a\": 1}");
        assertThat(second).isEqualTo(first);
    }

    @Test
    void argumentsThatAreNoObjectStayAsTheModelWroteThem() {
        assertThat(render(
                        "{{ messages[0].tool_calls[0].function.arguments }}",
                        "[{'role': 'assistant', 'tool_calls': [{'function': {'arguments': '{broken'}}]}]"))
                .isEqualTo("{broken");
    }

    @Test
    void argumentsOfTheConversationSpecialTokensAndTimeAreVariables() {
        var conversation = conversation(HELLO, Map.of("mood", TextNode.valueOf("calm")));

        assertThat(template("{{ bos_token }}{{ mood }}{{ strftime_now('%d %B') }}{{ tools }}"
                                + "{{ add_generation_prompt }}")
                        .render(conversation))
                .isEqualTo("<s>calm02 JanuaryNoneTrue");
    }

    @Test
    void halfOfACharacterIsAQuestionMark() {
        assertThat(render("{{ messages[0].content }}", "[{'content': 'a\\ud83d b'}]"))
                .isEqualTo("a? b");
    }

    @Test
    void aConversationThatIsNestedTooDeeplyIsRefused() {
        for (int depth : new int[] {200, 995}) {
            assertThatThrownBy(() -> render("x", "[{'content': " + "[".repeat(depth) + "]".repeat(depth) + "}]"))
                    .isInstanceOf(TemplateRefusedException.class);
        }
    }

    @Test
    void aLongConversationMayTakeMoreSteps() {
        String messages =
                "[" + String.join(", ", Collections.nCopies(3_000, "{'role': 'user', 'content': 'hello'}")) + "]";

        assertThat(render(
                        "{% for m in messages %}{% for i in range(13) %}{% if i > 99 %}x{% endif %}{% endfor %}"
                                + "{{ m.role }}{% endfor %}",
                        messages))
                .isEqualTo("user".repeat(3_000));
    }

    @Test
    void aConversationOfMegabytesIsRendered() {
        String text = "x".repeat(3_000_000);

        assertThat(render("{{ messages[0].content | trim }}", "[{'content': '" + text + "'}]"))
                .isEqualTo(text);
    }

    @Test
    void threadsOfBothKindsRenderAtOnce() throws Exception {
        var template = template("{% for i in range(50) %}{{ messages[0].content }}{% endfor %}");
        try (var virtual = Executors.newVirtualThreadPerTaskExecutor();
                var platform = Executors.newFixedThreadPool(4)) {
            for (ExecutorService threads : new ExecutorService[] {virtual, platform}) {
                var tasks = IntStream.range(0, 200)
                        .<Callable<Boolean>>mapToObj(
                                i -> () -> template.render(conversation("[{'content': '" + i + ";'}]", Map.of()))
                                        .equals((i + ";").repeat(50)))
                        .toList();
                for (var rendered : threads.invokeAll(tasks)) {
                    assertThat(rendered.get()).isTrue();
                }
            }
        }
    }

    @Test
    void anInterruptedCallerStaysInterruptedAndTheTemplateUsable() {
        var template = template("{{ messages[0].content }}");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> template.render(conversation(HELLO, Map.of())))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(template.render(conversation(HELLO, Map.of()))).isEqualTo(SECRET);
    }

    @Test
    void itsTextIsTheFilesTemplate() {
        assertThat(template("{{ bos_token }}\r\n").text()).isEqualTo("{{ bos_token }}\r\n");
    }
}
