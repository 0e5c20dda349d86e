package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void startsOneOfEachAndChoosesTheEngineWhenNothingIsSaid() {
        assertThat(Options.parse())
                .isEqualTo(new Options(
                        Options.AUTO,
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
        assertThat(Options.USAGE).contains("(default auto)");
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
            --engine gpt        | auto, llama, simulated, vllm, vllm-tokens, sglang, llama-server, chat, not gpt
            --engine vllm       | --engine vllm needs --engine-url and --model-name
            --engine llama      | --engine llama needs --model, the file of a model
            --engine-url http:a | --engine auto chooses the model: --model, --model-name, --upstream-model,
            --model-name a      | --engine auto chooses the model
            """)
    void saysWhatIsWrong(String arguments, String message) {
        assertThatThrownBy(() -> Options.parse(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            '',                                 true
            --detach,                           true
            --port 9000,                        true
            --port=9000 --engine simulated,     true
            --engine auto,                      true
            --port 9001,                        false
            --engine llama,                     false
            --workers 2,                        false
            """)
    void aSecondStartAgreesWithTheFirstUnlessAnOptionDiffers(String asked, boolean agrees) {
        var started = List.of("--port", "9000", "--engine", "simulated", "--detach");

        assertThat(Options.agree(asked.isEmpty() ? List.of() : List.of(asked.split(" ")), started))
                .isEqualTo(agrees);
    }

    @Test
    void takesAFileByItsEngineWithoutBeingTold(@TempDir Path folder) throws Exception {
        Path model = Files.createFile(folder.resolve("model.gguf"));

        assertThat(Options.parse("--model", model.toString()).engine()).isEqualTo("llama");
        assertThat(Options.parse("--engine", "simulated").isAuto()).isFalse();
        assertThat(Options.parse().isAuto()).isTrue();
        assertThatThrownBy(() -> Options.parse("--engine", "auto", "--model", model.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--engine auto chooses the model");
    }

    @Test
    void takesTheLastOfAnOptionThatIsThereTwice() {
        assertThat(Options.parse("--engine", "auto", "--engine=simulated").engine())
                .isEqualTo("simulated");
    }
}
