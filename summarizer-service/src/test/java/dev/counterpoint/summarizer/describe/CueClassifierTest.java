package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same text says the same, however it is cut, and nothing but cues counts.
class CueClassifierTest {
    static final SummaryContext CONTEXT =
            SummaryContext.of("Compare trains and flights from \"Lisbon Oriente\" to Porto");
    private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{M}]*");
    private static final Pattern SHOWN_WORD = Pattern.compile(
            "[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]|[\\p{L}\\p{M}&&[^\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]]+");
    private static final List<String> FILLERS = List.of("zorvik", "blentar", "quoshem", "draffin", "wulmek", "yostrip");

    @Test
    void saysTheSameForEveryCut() {
        var random = new Random(7);
        for (var text : DescribedTexts.all().map(DescribedTexts.Row::reasoning).toList()) {
            var whole = thoughts(List.of(text));
            for (int i = 0; i < 10; i++) {
                int at = random.nextInt(text.length());
                assertThat(thoughts(List.of(text.substring(0, at), text.substring(at))))
                        .isEqualTo(whole);
            }
            assertThat(thoughts(
                            text.chars().mapToObj(c -> String.valueOf((char) c)).toList()))
                    .isEqualTo(whole);
        }
    }

    /// What is shown is a function of the cues: every other word of the reasoning can be another one.
    @Test
    void showsTheSameWhateverWordsStandBetweenTheCues() {
        var random = new Random(11);
        int replaced = 0;
        for (var row : DescribedTexts.all().toList()) {
            var context = SummaryContext.of(row.user());
            var other = new StringBuilder();
            var words = WORD.matcher(row.reasoning());
            var cues = cueWords(row.reasoning(), context.language());
            while (words.find()) {
                var normal = CueText.normal(words.group());
                boolean cue = CueText.unspaced(words.group().charAt(0)) || cues.contains(normal.strip());
                replaced += cue ? 0 : 1;
                words.appendReplacement(other, cue ? words.group() : FILLERS.get(random.nextInt(FILLERS.size())));
            }
            words.appendTail(other);
            assertThat(shown(context, other.toString())).isEqualTo(shown(context, row.reasoning()));
        }
        assertThat(replaced).isGreaterThan(500);
    }

    @Test
    void showsNoWordThatIsNotATemplatesOrTheUsers() {
        for (var row : DescribedTexts.all().toList()) {
            var context = SummaryContext.of(row.user());
            var file = LanguageFile.of(context.language());
            var allowed = new ArrayList<String>(file.titles().values());
            file.sentences().values().forEach(allowed::addAll);
            allowed.addAll(file.subjects().values());
            allowed.addAll(file.frames().values());
            allowed.add(row.user());
            var words = Set.copyOf(words(String.join(" ", allowed)));
            assertThat(words(shown(context, row.reasoning()))).isNotEmpty().isSubsetOf(words);
            // The check can fail: the reasoning has words of its own.
            assertThat(words.containsAll(words(row.reasoning()))).isFalse();
        }
    }

    private static List<String> words(String text) {
        // A character is a word in a script without blanks.
        return SHOWN_WORD.matcher(text).results().map(MatchResult::group).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "a ", "compare ", "比较", "```\n", ". ", "\n", "# # #", "= 1 ", "`", "\u0301", "الحساب "})
    void isDoneWithAMegabyteOfAnythingInBoundedTime(String fragment) {
        var text = fragment.repeat(1_000_000 / fragment.length());
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(90), () -> thoughts(List.of(text)));
    }

    @Test
    void isVagueWhereNothingIsClear() {
        var classifier = new CueClassifier(SummaryContext.of("Zorvik?"));
        var thoughts = new ArrayList<>(classifier.accept("Zorvik blentar.\nQuoshem draffin.\nWulmek."));
        thoughts.addAll(classifier.finish());
        // A model begins with the question and ends with its answer.
        assertThat(thoughts)
                .extracting(thought -> thought.description().activity())
                .containsExactly(Activity.UNDERSTANDING, Activity.THINKING_THROUGH, Activity.DECIDING);
        assertThat(thoughts).allMatch(thought -> thought.description().subject() == Subject.GENERAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "It is 5 of 7, or 3/4.\nThe year was 1912.\n",
                "Set x = 5 here.\nThen 20 % of it.\n",
                "There is a total of it.\nThe answer to this.\n"
            })
    void oneWordThatMayMeanAnythingTellsNoActivity(String reasoning) {
        var thoughts = new CueClassifier(SummaryContext.of("Zorvik?")).accept("Zorvik.\n" + reasoning);
        assertThat(thoughts.subList(1, thoughts.size()))
                .allMatch(thought -> thought.description().vague());
    }

    @Test
    void atMostTwelveActivitiesHaveCues() {
        for (var language : SummaryLanguage.values()) {
            assertThat(LanguageFile.of(language).cues().keySet())
                    .as(language.tag())
                    .hasSizeLessThanOrEqualTo(12)
                    .isEqualTo(LanguageFile.of(SummaryLanguage.EN).cues().keySet());
        }
    }

    @Test
    void aWordThatTheUserSpeaksOfTellsNoActivity() {
        var classifier = new CueClassifier(SummaryContext.of("What does compare mean in this sentence?"));
        var thoughts = classifier.accept("The user wants it.\nThen compare is a verb.\n");
        assertThat(thoughts)
                .extracting(thought -> thought.description().activity())
                .doesNotContain(Activity.COMPARING);
    }

    @Test
    void sayHowManyBitsOnePartCanCarry() {
        // A phrase follows from the number of changes.
        double values = (double) Activity.values().length * Subject.values().length;
        double bits = Math.log(values) / Math.log(2);
        System.out.printf("described: %.0f values of activity and subject, %.1f bits a part%n", values, bits);
        assertThat(bits).isLessThan(13);
    }

    private static List<String> cueWords(String text, SummaryLanguage users) {
        var found = new ArrayList<String>();
        var normal = CueText.normal(text);
        var covered = CueIndex.of(users).covered(normal);
        int from = 1;
        for (int i = 1; i < normal.length(); i++) {
            if (normal.charAt(i) == ' ') {
                if (covered[from]) {
                    found.add(normal.substring(from, i));
                }
                from = i + 1;
            }
        }
        return found;
    }

    static String shown(SummaryContext context, String reasoning) {
        var classifier = new CueClassifier(context);
        var thoughts = new ArrayList<>(classifier.accept(reasoning));
        thoughts.addAll(classifier.finish());
        var renderer = new DescriptionRenderer();
        var shown = new StringBuilder();
        int variant = 0;
        for (var thought : thoughts) {
            if (thought.change()) {
                shown.append(renderer.title(thought.description(), context.language(), variant))
                        .append('\n')
                        .append(renderer.sentence(thought.description(), context.language(), variant++))
                        .append('\n');
            }
        }
        return shown.toString();
    }

    private static List<Thought> thoughts(List<String> pieces) {
        var classifier = new CueClassifier(CONTEXT);
        var thoughts = new ArrayList<Thought>();
        pieces.forEach(piece -> thoughts.addAll(classifier.accept(piece)));
        thoughts.addAll(classifier.finish());
        return thoughts;
    }
}
