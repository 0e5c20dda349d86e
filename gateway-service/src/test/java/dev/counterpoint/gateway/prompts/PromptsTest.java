package dev.counterpoint.gateway.prompts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.PromptTemplate;
import dev.counterpoint.servicekit.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptsTest {
    @TempDir
    Path folder;

    @Test
    void variablesAreFilledInOnceAndTheHighestVersionIsTheUsualOne() throws IOException {
        // Given
        write("greet/9.json", "{'messages':[{'role':'user','content':'old'}]}");
        write("greet/10.json", """
                {'messages':[{'role':'developer','content':'Be {{who}}, {{who}}!'},
                 {'role':'user','content':'{{what}} {one} }}'}]}""");
        var prompts = new Prompts(PromptFile.readAll(folder));

        // When
        var filled = prompts.fill(asked(
                "{'id':'greet','variables':{'who':'$1 {{what}}','what':{'type':'input_text'," + "'text':'Go'}}}"));

        // Then
        assertThat(filled)
                .containsExactly(
                        said(MessageRole.DEVELOPER, "Be $1 {{what}}, $1 {{what}}!"),
                        said(MessageRole.USER, "Go {one} }}"));
        assertThat(prompts.fill(asked("{'id':'greet','version':'9'}"))).containsExactly(said(MessageRole.USER, "old"));
        assertThat(prompts.fill(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'id':'other'} | 404 | prompt.id",
                "{'id':'greet','version':'2'} | 404 | prompt.version",
                "{'id':'greet','version':'01'} | 404 | prompt.version",
                "{'id':'greet'} | 400 | prompt.variables.who",
                "{'id':'greet','variables':{'who':'x','why':'y'}} | 400 | prompt.variables.why",
                "{'id':'greet','variables':{'who':{'type':'input_image','image_url':'x'}}} | 400 | prompt.variables.who"
            })
    void whatIsMissingIsRefusedByName(String asked, int status, String param) throws IOException {
        write("greet/1.json", "{'messages':[{'role':'developer','content':'Be {{who}}.'}]}");
        var prompts = new Prompts(PromptFile.readAll(folder));

        assertThatThrownBy(() -> prompts.fill(asked(asked))).satisfies(thrown -> {
            if (thrown instanceof ProblemException refused) {
                assertThat(refused.problem().status()).isEqualTo(status);
                assertThat(((Problem) refused.problem()).param()).isEqualTo(param);
            } else {
                assertThat(status).isEqualTo(400);
                assertThat(((WireException) thrown).param()).isEqualTo(param);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "greet/1.json | {'messages':[]}",
                "greet/1.json | {'messages':[{'role':'user','content':'x'}],'model':'m'}",
                "greet/1.json | {'messages':[{'role':'user','content':['x']}]}",
                "greet/1.json | {'messages':[{'role':'king','content':'x'}]}",
                "greet/1.json | {'messages':[{'role':'user','content':'x','name':'y'}]}",
                "greet/1.json | {'messages':[{'role':'user','content':'{{not so}}'}]}",
                "greet/1.json | {",
                "greet/0.json | {'messages':[{'role':'user','content':'x'}]}",
                "greet/latest.json | {'messages':[{'role':'user','content':'x'}]}",
                "a b/1.json | {'messages':[{'role':'user','content':'x'}]}",
                "greet.json | {'messages':[{'role':'user','content':'x'}]}"
            })
    void aWrongFileIsRefusedByNameAtTheStart(String file, String content) throws IOException {
        write(file, content);

        assertThatThrownBy(() -> PromptFile.readAll(folder))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("gateway.prompts: ")
                .hasMessageContaining(folder.resolve(file.contains("a b") ? "a b" : file) + ": ");
    }

    private void write(String file, String content) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), content.replace('\'', '"'));
    }

    private static PromptTemplate asked(String json) {
        return WireJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), PromptTemplate.class);
    }

    private static InputItem said(MessageRole role, String text) {
        return new InputItem.Message(role, new MessageContent.Text(text));
    }
}
