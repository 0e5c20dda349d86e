package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the compatibility test of openai/gpt-oss checks of a server, with a key that may read raw reasoning, over both
/// APIs and both ways: the tool that is asked for is called once, with arguments that its schema allows, the reasoning
/// is shown, and the tool's result leads to an answer. That one needs a JavaScript client and does not run streamed;
/// here are its cases and its tools. A script tells the simulated engine which tool to call; the mask fills its
/// arguments.
@ExtendWith(SharedSuite.class)
class CompatibilityIT {
    private static final int CASES = 30;
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    @ParameterizedTest(name = "chat: {0}, streamed: {1}")
    @CsvSource({"true,false", "true,true", "false,false", "false,true"})
    void everyCaseCallsItsToolAndShowsItsReasoning(boolean chat, boolean streamed) {
        var cases = CompatibilityCase.all();
        var tools = CompatibilityCase.tools();
        assertThat(cases).hasSize(CASES);
        for (var one : cases) {
            var client = SharedSuite.suite().client(RunningSuite.RAW_KEY);
            var conversation = chat
                    ? ToolConversation.overChat(client, streamed)
                    : ToolConversation.overResponses(client, streamed);
            check(one, tools, conversation);
        }
    }

    private static void check(CompatibilityCase one, List<JsonNode> tools, ToolConversation conversation) {
        // When
        conversation.user(one.question() + "\ncall: " + one.tool() + " {}");
        var calling = conversation.next(tools);

        // Then
        assertThat(calling.reasoning()).as(one.question()).isNotBlank();
        assertThat(calling.calls()).as(one.question()).hasSize(1);
        var call = calling.calls().getFirst();
        var tool = tools.stream()
                .filter(each -> each.path("name").asText().equals(one.tool()))
                .findFirst()
                .orElseThrow();
        assertThat(call.name()).as(one.question()).isEqualTo(one.tool());
        assertThat(SCHEMAS.getSchema(tool.path("parameters")).validate(ApiClient.tree(call.arguments())))
                .as(one.question())
                .isEmpty();

        // When
        conversation.output(call, tool.path("output").asText());
        var answering = conversation.next(tools);

        // Then
        assertThat(answering.calls()).as(one.question()).isEmpty();
        assertThat(answering.text()).as(one.question()).isNotBlank();
        assertThat(answering.reasoning()).as(one.question()).isNotBlank();
    }
}
