package dev.counterpoint.engine.chat.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import dev.counterpoint.engine.chat.probe.Shown.Way;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownTest {
    private static final FamilyTable FAMILIES = FamilyTable.shared();

    @ParameterizedTest
    @CsvSource({
        "BLUE, EXACT",
        "' **Blue.**\n', EXACT",
        "'\"blue\"', EXACT",
        "BLUE BLUE, UNTOLD",
        "The word is BLUE, UNTOLD",
        "'', UNTOLD",
        "<think>R</think>BLUE, OPENED",
        "<THINK>R</THINK>BLUE, OPENED",
        "<think>R, OPENED",
        "Sure. <think>R</think>BLUE, OPENED",
        "R</think>BLUE, CLOSED",
        "R</think>BLUE<think>, CLOSED",
        "'<think>\n\n</think>\n\nBLUE', EXACT",
        "<think></think>Well: BLUE, OPENED",
        "[THINK]R[/THINK]BLUE, OPENED",
        "◁think▷R◁/think▷BLUE, OPENED",
        "<seed:think>R</seed:think>BLUE, OPENED",
        "<|channel|>analysis<|message|>R, HARMONY",
        "analysisWe sayassistantfinalBLUE, HARMONY",
    })
    void howAnAnswerShowsReasoning(String content, Way way) {
        assertThat(shown(content, true)).isEqualTo(way);
    }

    @Test
    void aTextThatWasCutOffProvesNoAnswer() {
        assertThat(shown("BLUE", false)).isEqualTo(Way.CUT);
        assertThat(shown("The user wants", false)).isEqualTo(Way.CUT);
        assertThat(shown("<think>The", false)).isEqualTo(Way.OPENED);
    }

    private static Way shown(String content, boolean whole) {
        return Shown.in(new TrialAnswer(TrialQuestion.WORD, content, false, whole), FAMILIES.everyMarks())
                .way();
    }

    @Test
    void theEndOfATemplateSaysWhoOpens() {
        var prompt = "{% for m in messages %}<think>{{ m }}</think>{% endfor %}{% if add_generation_prompt %}";

        assertThat(opener(prompt + "{{ '<|assistant|>' }}")).isEqualTo(Opener.MODEL);
        assertThat(opener(prompt + "{{ '<｜Assistant｜><think>\\n' }}")).isEqualTo(Opener.TEMPLATE);
        assertThat(opener(prompt + "{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}"))
                .isEqualTo(Opener.MODEL);
        assertThat(opener(prompt + "{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}"
                        + "{% else %}{{ '<think>\\n' }}{% endif %}"))
                .isEqualTo(Opener.TEMPLATE);
        assertThat(opener(prompt + "{{ '<|assistant|>' }}{% if thinking %}{{ start_of_thinking }}{% endif %}"))
                .isEqualTo(Opener.EITHER);
        assertThat(opener("{{ if .System }}{{ .System }}<think>{{ end }}")).isEqualTo(Opener.EITHER);
    }

    @Test
    void anEmptyPairOfOneKindOpensNoOther() {
        var gemma = FAMILIES.named("gemma-4").orElseThrow().reasoning();
        var template = "{%- if add_generation_prompt -%}{{- '<|turn>model\\n' -}}{%- if not enable_thinking -%}"
                + "{{- '<|channel>thought\\n<channel|>' -}}{%- endif -%}{%- endif -%}";

        assertThat(TemplateText.opener(template, gemma)).isEqualTo(Opener.MODEL);
    }

    private static Opener opener(String template) {
        return TemplateText.opener(
                template, FAMILIES.named("qwen3").orElseThrow().reasoning());
    }
}
