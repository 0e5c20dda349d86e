package dev.counterpoint.engine.chat.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import org.junit.jupiter.api.Test;

class TemplateTextTest {
    private static final FamilyTable FAMILIES = FamilyTable.shared();

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
