package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;

/// The cases of one seed; each can be made again alone, by its number.
///
/// What is never asked: conversations that the references' JSON reader refuses (numbers beyond a double, halves of
/// surrogate pairs, the integer `-0`, which JSON trees do not know), and tool namespaces under another key than their
/// name, which no builder of the references makes.
record OracleCases(long seed) {
    private static final List<String> MODES = List.of("completion", "completion", "conversation", "training");
    private static final List<String> ROLES =
            List.of("assistant", "assistant", "assistant", "user", "tool", "system", "developer");

    ObjectNode number(int number) {
        var dice = new Dice(seed, number);
        if (number == 0) {
            return tools("browser");
        } else if (number == 1) {
            return tools("python");
        }
        int kind = dice.below(100);
        if (kind < 40) {
            return render(dice);
        } else if (kind < 50) {
            return JsonMaker.JSON.objectNode().put("kind", "encode").put("text", unevenText(dice));
        } else if (kind < 53) {
            return decode(dice);
        }
        return parse(dice);
    }

    private static ObjectNode tools(String name) {
        return JsonMaker.JSON.objectNode().put("kind", "tools").put("name", name);
    }

    private static ObjectNode render(Dice dice) {
        var one = JsonMaker.JSON.objectNode().put("kind", "render");
        // As text: numbers have more spellings than values.
        one.put("conversation", OracleJson.write(ConversationMaker.conversation(dice)));
        var mode = dice.of(MODES);
        one.put("mode", mode).put("next", mode.equals("completion") ? dice.of(ROLES) : null);
        return one.put("drop", dice.percent(60));
    }

    /// Texts that may have halves of surrogate pairs, which JSON cannot bring to the references' renderer.
    private static String unevenText(Dice dice) {
        var text = new StringBuilder(dice.percent(30) ? TextMaker.row(dice) : TextMaker.text(dice, 30));
        if (dice.percent(20)) {
            text.insert(dice.below(text.length() + 1), (char) dice.between(0xD800, 0xDFFF));
        }
        return text.toString();
    }

    private static ObjectNode decode(Dice dice) {
        var one = JsonMaker.JSON.objectNode().put("kind", "decode");
        var tokens = one.putArray("tokens");
        for (int i = dice.below(30); i > 0; i--) {
            tokens.add(dice.below(SpecialTokens.LAST + 1));
        }
        if (dice.percent(10)) {
            tokens.add(SpecialTokens.LAST + 1 + dice.below(1000));
        }
        return one;
    }

    private static ObjectNode parse(Dice dice) {
        var role = dice.percent(30) ? null : dice.of(ROLES);
        var one = JsonMaker.JSON.objectNode().put("kind", "parse");
        one.put("role", role).put("strict", dice.toss()).put("eos", dice.percent(90));
        ArrayNode tokens = one.putArray("tokens");
        for (int token : StreamMaker.stream(dice, role != null)) {
            tokens.add(Integer.toUnsignedLong(token));
        }
        return one;
    }
}
