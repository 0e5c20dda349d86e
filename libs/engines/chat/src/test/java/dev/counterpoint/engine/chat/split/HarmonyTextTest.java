package dev.counterpoint.engine.chat.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HarmonyTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "<!channel!>analysis<!message!>R.<!end!><!start!>assistant<!channel!>final<!message!>A | R:R. A:A",
                "<!channel!>analysis<!message!>R<!end!><!start!>assistant<!channel!>final<!message!>A<!return!>"
                        + " | R:R A:A",
                "<!start!>assistant<!channel!>final<!message!>A<!return!> | A:A",
                "analysis<!message!>R<!end!><!start!>assistant<!channel!>final<!message!>A | R:R A:A",
                "R<!end!><!start!>assistant<!channel!>final<!message!>A | U:R A:A",
                "<!channel!>analysis<!message!>R | R:R",
                "<!channel!>analysis<!message!>R<!end!><!start!>assistant<!channel!>commentary to=functions.f "
                        + "<!constrain!>json<!message!>{'a':1}<!call!> | R:R C:functions.f J:{'a':1}",
                "<!channel!>final to=user<!message!>A<!return!> | A:A",
                "<!channel!>final to=functions.f<!message!>{}<!call!> | C:functions.f J:{}",
                "<!channel!>commentary<!message!>P<!end!><!start!>assistant<!channel!>final<!message!>A | A:PA",
                "<!channel!>final<!message!>a < b and <think> | A:a < b and <think>",
                "analysisR.assistantfinalA | R:R. A:A",
                "analysisWe say 'final' hereassistantfinalA | R:We say 'final' here A:A",
                "analysisRassistantanalysisSassistantfinalA | R:RS A:A",
                "analysisRassistantcommentary to=functions.f json{'a':'}assistantfinal'} | R:R C:functions.f"
                        + " J:{'a':'}assistantfinal'}",
                "analysisRassistant to=functions.fcommentary json{'a':1} | R:R C:functions.f J:{'a':1}",
                // a call that is not the last word is withheld
                "analysisRassistantcommentary to=functions.f json{'a':1}assistantfinalA"
                        + " | U:Rassistantcommentary to=functions.f json{'a':1} A:A",
                "finalParis | A:Paris",
                "assistantfinalParis | A:Paris",
                "final~~Paris | A:~~Paris",
                "analysisRassistantcommentary to=functions.f json{'a':1}assistantfinal{'b':2}"
                        + " | U:Rassistantcommentary to=functions.f json{'a':1} A:{'b':2}",
                "finally it is over | U:finally it is over",
                "final answer: four | U:final answer: four",
                "analysisR | R:R",
                "analysis | ",
                "assistant | U:assistant",
                "Paris | U:Paris",
                "The assistant said so | U:The assistant said so",
                "R lostassistantfinalA | U:R lost A:A",
                "analysisR<!end!>assistantfinalA<!return!> | R:R A:A",
                "analysisRassistantcommentaryLet me look.assistantfinalA" + " | U:RassistantcommentaryLet me look. A:A",
                "analysisRassistantcommentary to=functions.f and so on"
                        + " | U:Rassistantcommentary to=functions.f and so on",
                "analysisR 'assistantfinal' SassistantfinalA | R:R 'assistantfinal' S A:A",
            })
    void takesHarmonyApart(String text, String expected) {
        var written = text.replace('!', '|').replace('\'', '"').replace('~', '\n');
        var cuts = new ArrayList<>(List.of(List.of(written), Tellings.letters(written)));
        for (int at = 1; at < written.length(); at++) {
            cuts.add(List.of(written.substring(0, at), written.substring(at)));
        }
        for (var cut : cuts) {
            var told = new ArrayList<ModelPart>();
            var harmony = new HarmonyText(told::add);
            cut.forEach(harmony::accept);
            harmony.finish(true);

            assertThat(Tellings.told(told))
                    .isEqualTo((expected == null ? "" : expected)
                            .replace('\'', '"')
                            .replace('~', '\n'));
        }
    }

    @Test
    void charactersOutsideOfThePlaneStayWhole() {
        var told = new ArrayList<ModelPart>();
        var harmony = new HarmonyText(told::add);
        Tellings.letters("<|channel|>final<|message|>\ud83d\ude00!").forEach(harmony::accept);
        harmony.finish(true);

        assertThat(Tellings.told(told)).isEqualTo("A:\ud83d\ude00!");
    }

    @Test
    void whatComesAfterTheServerToldTheReasoningIsTheAnswer() {
        var told = new ArrayList<ModelPart>();
        var harmony = new HarmonyText(told::add);
        harmony.accept("fina");
        harmony.decide();
        harmony.accept("lly done");
        harmony.finish(true);

        assertThat(Tellings.told(told)).isEqualTo("A:finally done");
    }
}
