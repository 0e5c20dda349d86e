package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnFormTest {
    private static final String CITY = """
            {"type":"object","properties":{"city":{"type":"string","maxLength":12},"days":{"type":"integer"}},\
            "required":["city","days"],"additionalProperties":false}""";
    private static final TurnRules RULES = new TurnRules(
            true,
            true,
            List.of(new TurnRules.Call("functions.trip", new FunctionTool("trip", "", CITY, true))),
            new ResponseFormat("trip", null, CITY, true));

    @Test
    void tellsTheServerTheWholeTurn() {
        assertThat(form().rest(GrammarNotation.GBNF))
                .startsWith("root ::= r0\n")
                .contains("<[200005]>", "(!<[200007]>)*", "{0,12}")
                .doesNotContain("200002", "200012");
        assertThat(form().rest(GrammarNotation.XGRAMMAR))
                .contains("Token(200005)", "(ExcludeToken(200007))*")
                .doesNotContain("200002", "200012");
    }

    @Test
    void goesOnInTheMiddleOfAValue() {
        var form = form();
        for (int token : Spelled.tokens("<|channel|>final<|message|>{\"city\": \"Ro")) {
            assertThat(form.takes(token)).isTrue();
            form.accept(token);
        }

        assertThat(form.rest(GrammarNotation.GBNF)).contains("{0,10}", "days").doesNotContain("city", "200005");
        assertThat(form.takes(SpecialTokens.RETURN)).isFalse();
    }

    @Test
    void holdsNothingAfterATokenThatDoesNotFit() {
        var form = form();
        int wrong = SpecialTokens.CALL;
        assertThat(form.takes(wrong)).isFalse();

        form.accept(wrong);

        assertThat(form.takes(wrong)).isTrue();
        assertThat(form.rest(GrammarNotation.GBNF)).isNull();
    }

    private static TurnForm form() {
        return new TurnForm(TurnConstraints.shared().of("tenant", RULES));
    }
}
