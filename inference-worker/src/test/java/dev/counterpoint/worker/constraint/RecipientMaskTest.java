package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecipientMaskTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final List<String> RECIPIENTS = List.of("functions.get", "functions.get_weather");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.get <|constrain|>json<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{}<|call|>",
                "<|channel|>analysis<|message|>Go to=work.<|end|><|start|>assistant to=functions.get"
                        + "<|channel|>commentary<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get_weather code<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get_weather json<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.get<|message|>{}<|call|>",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
            })
    void declaredFunctionsMayBeCalledInEverySpelling(String text) {
        accept(new RecipientMask(RECIPIENTS), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.get_time <|constrain|>json",
                "<|channel|>commentary to=functions.getaway <|constrain|>json",
                "<|channel|>commentary to=python code",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=browser.search<|channel|>analysis",
                "<|channel|>analysis to=functions.get_weather_now <|message|>",
            })
    void nobodyElseIsAddressed(String text) {
        assertThatThrownBy(() -> accept(new RecipientMask(RECIPIENTS), text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>commentary to=functions.get <|constrain|>json",
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.get",
            })
    void withoutFunctionsNobodyIsAddressedAtAll(String text) {
        assertThatThrownBy(() -> accept(new RecipientMask(List.of()), text))
                .isInstanceOf(IllegalArgumentException.class);
        accept(new RecipientMask(List.of()), "<|channel|>analysis<|message|>I go to=work.<|end|>");
    }

    @Test
    void whatFollowsToIsADeclaredNameWhateverTheModelWouldHaveSaid() {
        var mask = new RecipientMask(List.of("functions.get_weather"));
        accept(mask, "<|channel|>commentary to");
        var name = IntStream.builder();

        for (var allowed = BitSet.valueOf(mask.allowed());
                allowed.cardinality() == 1;
                allowed = BitSet.valueOf(mask.allowed())) {
            name.add(allowed.nextSetBit(0));
            mask.accept(allowed.nextSetBit(0));
        }

        assertThat(TOKENIZER.decode(name.build().toArray())).isEqualTo("=functions.get_weather");
    }

    private static void accept(TokenMask mask, String text) {
        for (int token : Spelled.tokens(text)) {
            mask.accept(token);
        }
    }
}
