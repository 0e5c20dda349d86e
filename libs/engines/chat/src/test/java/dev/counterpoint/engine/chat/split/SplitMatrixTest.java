package dev.counterpoint.engine.chat.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Every family, with the rules that may hold for it, in the shapes that its texts may have, cut at every
/// position each night (`-Dscale=20`), and at some of them in a build.
class SplitMatrixTest {
    private static final int CASES_MIN = 5_000;
    /// Answers that quote a mark, or come after a second thought, are withheld in part.
    private static final double SHOWN_MIN = 0.65;
    /// Not every place where a limit may cut is tried in every text, nor every cut where the rule is not
    /// the family's own.
    private static final int STEP = 9;
    private static final boolean EACH_CUT = Integer.getInteger("scale", 1) > 1;
    private static final FamilyTable TABLE = FamilyTable.shared();
    private static final String SECRET = "geheim";
    private static final String SHOWN = "gesagt";

    private final Random random = new Random(20);
    private final Set<String> played = new HashSet<>();
    private int cases;
    private int answers;
    private int shown;
    private final List<String> wrong = new ArrayList<>();

    private record Case(String family, TextRule rule, MarkPair marks, boolean own, TextShape shape) {
        @Override
        public String toString() {
            return family + ", " + rule.unmarked() + (own ? " (own), " : ", ") + shape.name() + ": "
                    + shape.text().replace("\n", "~").replace("\r", "^");
        }
    }

    @Test
    @DisplayName("F1, F2, F5 every family in every shape, cut at every position")
    void showsNoReasoningAndLosesNoAnswerWhereverTheTextIsCut() {
        for (var family : TABLE.families()) {
            for (var unmarked : rules(family)) {
                // Families that write alike are told alike.
                if (played.add(unmarked + " " + family.reasoning())) {
                    family.reasoning().forEach(marks -> play(family, unmarked, marks));
                }
            }
        }
        assertThat(wrong).as(() -> wrong.size() + " of " + cases).isEmpty();
        System.out.printf("split: %d cases, %d of %d answers whole%n", cases, shown, answers);
        assertThat(cases).isGreaterThan(CASES_MIN);
        assertThat((double) shown / answers).isGreaterThan(SHOWN_MIN);
    }

    private void play(ModelFamily family, Unmarked unmarked, MarkPair marks) {
        var rule = Tellings.rule(unmarked, family.reasoning());
        boolean own = unmarked == own(family);
        for (var style : TextShape.Style.values()) {
            for (var shape : TextShape.of(marks, style, words(SECRET), words(SHOWN))) {
                if (isPromised(unmarked, shape) && (own || random.nextBoolean())) {
                    play(new Case(family.name() + " " + style, rule, marks, own, shape));
                }
            }
        }
    }

    private static Set<Unmarked> rules(ModelFamily family) {
        return EnumSet.of(own(family), Unmarked.UNKNOWN, Unmarked.ANSWER);
    }

    private static Unmarked own(ModelFamily family) {
        return switch (family.opener()) {
            case MODEL -> Unmarked.ANSWER_WHEN_WHOLE;
            case TEMPLATE -> Unmarked.REASONING;
            case EITHER -> Unmarked.UNKNOWN;
        };
    }

    /// Where the operator says that unmarked text is the answer, it is.
    private static boolean isPromised(Unmarked unmarked, TextShape shape) {
        boolean unmarkedReasoning =
                !shape.opened() && says(shape.text(), SECRET) || shape.name().equals("preface");
        boolean heading = shape.text().startsWith("**") && shape.name().equals("unclosed");
        unmarkedReasoning |= heading;
        return unmarked != Unmarked.ANSWER || !unmarkedReasoning;
    }

    private Supplier<String> words(String stem) {
        return () -> {
            var word = stem + (char) ('a' + random.nextInt(26)) + random.nextInt(1000);
            return random.nextBoolean() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
        };
    }

    private void play(Case played) {
        cases++;
        var text = played.shape.text();
        var pieces = split(played, List.of(text));
        checkCutOff(played);
        var told = Tellings.told(pieces);
        check(played, pieces);
        for (int at = 1; at < text.length(); at += step(played)) {
            var cut = split(played, List.of(text.substring(0, at), text.substring(at)));
            if (!Tellings.told(cut).equals(told)) {
                wrong.add("cut at " + at + " " + played + "\n   " + told + "\n   " + Tellings.told(cut));
                return;
            }
        }
        if (!Tellings.told(split(played, Tellings.letters(text))).equals(told)) {
            wrong.add("letters " + played);
        }
    }

    private int step(Case played) {
        boolean every = EACH_CUT && played.own && played.rule.unmarked() != Unmarked.UNKNOWN;
        return every ? 1 : 1 + random.nextInt(STEP / 2);
    }

    private static List<TextPiece> split(Case played, List<String> chunks) {
        return Tellings.split(played.rule, chunks, true);
    }

    /// The model did not end by itself, at any place of the text.
    private void checkCutOff(Case played) {
        var text = played.shape.text();
        for (int at = 1 + random.nextInt(STEP); at <= text.length(); at += STEP) {
            var pieces = Tellings.split(played.rule, List.of(text.substring(0, at)), false);
            if (pieces.stream().anyMatch(piece -> piece.kind() == Kind.ANSWER && says(piece.text(), SECRET))) {
                wrong.add("CUT OFF at " + at + " " + played);
                return;
            }
        }
    }

    private void check(Case played, List<TextPiece> pieces) {
        var visible = new StringBuilder();
        boolean untold = false;
        for (var piece : pieces) {
            visible.append(piece.kind() == Kind.ANSWER ? piece.text() : "");
            untold |= piece.kind() == Kind.UNTOLD;
        }
        var expected = played.shape.answer();
        boolean whole = bare(visible).equals(bare(expected));
        if (says(visible.toString(), SECRET)) {
            wrong.add("LEAK " + played + "\n   " + visible);
        }
        // Nobody can tell what nothing marks where the rule does not say so.
        boolean tellable = !played.shape.name().equals("unmarked")
                || played.rule.unmarked() == Unmarked.ANSWER
                || played.rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE;
        answers += expected.isEmpty() || !tellable ? 0 : 1;
        shown += !expected.isEmpty() && tellable && whole ? 1 : 0;
        boolean told = played.own && played.rule.unmarked() != Unmarked.UNKNOWN || played.shape.opened();
        if (!whole && played.shape.sure() && told && tellable) {
            wrong.add("LOST " + played + "\n   " + Tellings.told(pieces));
        }
        if (!whole && !untold) {
            wrong.add("SILENT " + played + "\n   " + Tellings.told(pieces));
        }
    }

    private static boolean says(String text, String stem) {
        return text.toLowerCase(Locale.ROOT).contains(stem);
    }

    private static String bare(CharSequence text) {
        return text.toString().replaceAll("\\s+", "");
    }
}
