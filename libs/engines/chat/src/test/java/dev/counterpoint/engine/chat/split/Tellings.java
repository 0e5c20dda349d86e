package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The pieces of a splitter, as tests write them: `R:` reasoning, `A:` answer, `U:` untold, `C:` call, `J:`
/// arguments.
final class Tellings {
    private Tellings() {}

    static TextRule rule(String unmarked) {
        return rule(
                switch (unmarked) {
                    case "shown" -> Unmarked.ANSWER;
                    case "whole" -> Unmarked.ANSWER_WHEN_WHOLE;
                    case "begun" -> Unmarked.REASONING;
                    default -> Unmarked.UNKNOWN;
                },
                List.of());
    }

    /// @param own the marks of the model's family, first
    static TextRule rule(Unmarked unmarked, List<MarkPair> own) {
        var marks = new LinkedHashSet<>(own);
        marks.addAll(FamilyTable.shared().everyMarks());
        return new TextRule(unmarked, List.copyOf(marks), FamilyTable.shared().everyAnswerMarks(), false, "test");
    }

    static List<TextPiece> split(TextRule rule, List<String> chunks, boolean whole) {
        var pieces = new ArrayList<TextPiece>();
        var splitter = splitter(rule, pieces);
        chunks.forEach(splitter::accept);
        splitter.finish(whole);
        return pieces;
    }

    /// @param pieces where they go
    static ReasoningSplitter splitter(TextRule rule, List<TextPiece> pieces) {
        return new ReasoningSplitter(rule, Stage.answer(pieces::add), pieces::add);
    }

    static List<String> letters(String text) {
        return text.chars().mapToObj(c -> String.valueOf((char) c)).toList();
    }

    static String told(List<? extends ModelPart> pieces) {
        var told = new StringBuilder();
        char open = 0;
        for (var piece : pieces) {
            char kind = kind(piece);
            if (kind != open || kind == 'C') {
                told.append(told.isEmpty() ? "" : " ").append(kind).append(':');
                open = kind;
            }
            told.append(text(piece));
        }
        return told.toString().strip();
    }

    private static char kind(ModelPart piece) {
        return switch (piece) {
            case TextPiece text -> text.kind().name().charAt(0);
            case ModelPart.CallBegun _ -> 'C';
            case ModelPart.CallArguments _ -> 'J';
        };
    }

    private static String text(ModelPart piece) {
        return switch (piece) {
            case TextPiece text -> text.text();
            case ModelPart.CallBegun call -> call.recipient();
            case ModelPart.CallArguments arguments -> arguments.text();
        };
    }
}
