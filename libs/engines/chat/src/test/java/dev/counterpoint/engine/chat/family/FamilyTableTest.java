package dev.counterpoint.engine.chat.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.ModelFamily.CallIds;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FamilyTableTest {
    private static final FamilyTable TABLE = FamilyTable.shared();

    @ParameterizedTest
    @CsvSource({
        "deepseek-r1:7b, deepseek-r1",
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B, deepseek-r1",
        "hf.co/unsloth/DeepSeek-R1-0528-Qwen3-8B-GGUF:Q4_K_M, deepseek-r1",
        "/models/DeepSeek-R1-Distill-Llama-8B.Q4_K_M.gguf, deepseek-r1",
        "deepseek-ai/DeepSeek-V3.1, deepseek-v3.1",
        "deepseek-v3.1:671b-cloud, deepseek-v3.1",
        "deepseek-ai/DeepSeek-V3-0324, deepseek-v3",
        "deepseek-v3:671b, deepseek-v3",
        "qwen3:8b, qwen3",
        "hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M, qwen3",
        "Qwen/Qwen3-30B-A3B-Thinking-2507, qwen3-thinking",
        "qwen3:30b-a3b-thinking-2507-q4_K_M, qwen3-thinking",
        "mlx-community/Qwen3-4B-Instruct-2507-4bit, qwen3-instruct",
        "qwen3-coder:30b, qwen3-instruct",
        "Qwen/Qwen3.5-397B-A17B, qwen3.5",
        "qwq:32b, qwq",
        "qwen2.5:7b-instruct, qwen2.5",
        "qwen2.5-coder:7b, qwen2.5",
        "magistral:24b, magistral",
        "mistralai/Magistral-Small-2509, magistral",
        "mistral:7b, mistral",
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506, mistral",
        "moonshotai/Kimi-K2-Thinking, kimi-k2-thinking",
        "moonshotai/Kimi-K2-Instruct-0905, kimi-k2",
        "moonshotai/Kimi-VL-A3B-Thinking-2506, kimi-vl",
        "zai-org/GLM-4.5-Air, glm",
        "glm-4.6:cloud, glm",
        "glm4:9b, glm-4",
        "MiniMaxAI/MiniMax-M2, minimax-m2",
        "granite3.2:8b, granite-reasoning",
        "ibm-granite/granite-3.3-8b-instruct, granite-reasoning",
        "granite4:micro, granite",
        "ibm-granite/granite-4.2-8b, granite-thinking",
        "CohereLabs/command-a-reasoning-08-2025, command-a-reasoning",
        "command-r:35b, command",
        "ByteDance-Seed/Seed-OSS-36B-Instruct, seed-oss",
        "tencent/Hunyuan-A13B-Instruct, hunyuan",
        "gemma3:12b, gemma",
        "google/gemma-3-27b-it, gemma",
        "google/gemma-4-31B-it, gemma-4",
        "gemma2:9b, gemma",
        "gemma:7b, gemma",
        "gemma-7b-it, gemma",
        "alibayram/medgemma:27b, medgemma",
        "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5, nemotron",
        "nvidia/NVIDIA-Nemotron-Nano-9B-v2, nemotron",
        "exaone-deep:7.8b, exaone-deep",
        "LGAI-EXAONE/EXAONE-4.0-32B, exaone-4",
        "exaone3.5:7.8b, exaone",
        "phi4-reasoning:14b, phi-4-reasoning",
        "microsoft/Phi-4-mini-reasoning, phi-4-reasoning",
        "phi4:14b, phi",
        "phi3.5:3.8b, phi",
        "HuggingFaceTB/SmolLM3-3B, smollm3",
        "smollm2:1.7b, smollm",
        "baidu/ERNIE-4.5-21B-A3B-Thinking, ernie-4.5",
        "stepfun-ai/step3, step3",
        "llama3.2:3b, llama",
        "meta-llama/Llama-3.1-8B-Instruct, llama",
        "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q4_K_M, llama",
        "openai/gpt-oss-120b, gpt-oss",
        "gpt-oss:20b, gpt-oss",
        "openthinker:7b, openthinker",
        "cogito:14b, think-tags",
        "bytedance/seed-oss-36b, seed-oss",
    })
    void knowsAModelByItsName(String model, String family) {
        assertThat(TABLE.of(model, null)).map(ModelFamily::name).contains(family);
    }

    @ParameterizedTest
    @CsvSource({
        "my-model",
        "gpt-4o",
        "default",
        "llama-3.1-8b-reasoning",
        "creitin/mistral-nemo-think-v0.2:latest",
        "gemma-3-r1-distill",
        "diegolido/phi4-r1:latest",
        "qwen2.5-7b-cot",
    })
    void knowsNothingOfAModelThatMayBeAnything(String model) {
        assertThat(TABLE.of(model, null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "default, {{'<｜Assistant｜><think>\\n'}}, deepseek-r1",
        "default, {{ '<|im_start|>assistant\\n<think>\\n' }}, qwq",
        "mistral-small, [THINK] and [/THINK], magistral",
        "default, x {{ '<think>' }} y, think-tags",
        "llama-3.1-8b-tuned, x {{ '<think>' }} y, think-tags",
        "default, <seed:think>, seed-oss",
        "default, <|channel|>analysis<|message|>, gpt-oss",
    })
    void knowsAModelByItsTemplate(String model, String template, String family) {
        assertThat(TABLE.of(model, template)).map(ModelFamily::name).contains(family);
    }

    @Test
    void saysWhatEachFamilyDoesAndWhereThatStands() {
        var names = new HashSet<String>();
        for (var family : TABLE.families()) {
            assertThat(names.add(family.name())).as(family.name()).isTrue();
            assertThat(family.source()).as(family.name()).isNotBlank();
            assertThat(family.reasoning().isEmpty()).as(family.name()).isEqualTo(family.form() != Form.MARKED);
            assertThat(TABLE.named(family.name())).contains(family);
        }
        assertThat(names).hasSizeGreaterThan(40);
    }

    @Test
    void knowsWhoOpensAndHowThinkingIsTurnedOff() {
        var qwen = TABLE.named("Qwen3").orElseThrow();
        assertThat(qwen.opener()).isEqualTo(Opener.MODEL);
        assertThat(qwen.thinking().off().members())
                .hasToString("{\"chat_template_kwargs\":{\"enable_thinking\":false}}");
        assertThat(TABLE.named("qwq").orElseThrow().opener()).isEqualTo(Opener.TEMPLATE);
        assertThat(TABLE.named("mistral").orElseThrow().callIds()).isEqualTo(CallIds.NINE);
        assertThat(TABLE.named("gpt-oss").orElseThrow().thinking().effort()).isTrue();
    }

    @Test
    void listsEachPairOfMarksOnce() {
        assertThat(TABLE.everyMarks())
                .contains(new MarkPair("<think>", "</think>"), new MarkPair("[THINK]", "[/THINK]"))
                .doesNotHaveDuplicates();
        assertThat(TABLE.everyAnswerMarks())
                .contains(new MarkPair("<answer>", "</answer>"))
                .doesNotHaveDuplicates();
    }
}
