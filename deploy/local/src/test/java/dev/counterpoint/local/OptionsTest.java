package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void startsOneOfEachWithTheDefaultEngineWhenNothingIsSaid() {
        assertThat(Options.parse())
                .isEqualTo(new Options(
                        Options.DEFAULT_ENGINE,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        1,
                        1,
                        1,
                        8080,
                        "none",
                        false));
        assertThat(Options.USAGE).contains("(default " + Options.DEFAULT_ENGINE + ")");
    }

    @Test
    void takesEveryOptionInBothSpellings(@TempDir Path folder) throws Exception {
        // Given
        Path model = Files.createFile(folder.resolve("model.gguf"));
        // When
        var options = Options.parse(
                "--engine=llama",
                "--model",
                model.toString(),
                "--model-name=mine",
                "--upstream-model=theirs",
                "--engine-url",
                "http://localhost:1",
                "--gateways",
                "2",
                "--workers=3",
                "--summarizers=4",
                "--audits",
                "5",
                "--port",
                "9000",
                "--reasoning=summary",
                "--detach");
        // Then
        assertThat(options)
                .isEqualTo(new Options(
                        "llama",
                        true,
                        Optional.of(model),
                        Optional.of("mine"),
                        Optional.of("theirs"),
                        Optional.of("http://localhost:1"),
                        2,
                        3,
                        4,
                        5,
                        9000,
                        "summary",
                        true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --portt 1           | unknown option --portt
            up                  | unknown option up
            --port              | --port needs a value
            --engine --detach   | --engine needs a value
            --port 0            | --port is a number from 1 to 65535, not 0
            --port http         | --port is a number
            --gateways 9        | --gateways is a number from 1 to 8, not 9
            --workers -1        | --workers is a number
            --reasoning all     | --reasoning is none, summary or full, not all
            --model /no/such    | cannot read /no/such
            --engine gpt        | auto, llama, vllm, vllm-tokens, sglang, llama-server, chat, not gpt
            --engine vllm       | --engine vllm needs --engine-url and --model-name
            --engine llama      | --engine llama needs --model, the file of a gpt-oss model
            """)
    void saysWhatIsWrong(String arguments, String message) {
        assertThatThrownBy(() -> Options.parse(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
