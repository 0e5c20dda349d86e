package dev.counterpoint.engine.llama;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class ModelVocabularyTest {
    private static final int TEXTS = 300;
    private static final List<String> PIECES = List.of(
            " the",
            "the ",
            "  ",
            "▁",
            "é",
            "日本語",
            "😀",
            "\n\n",
            "\u0001",
            "\u0001\u0001",
            "\u0000",
            "<s>",
            "</s>",
            "<think>",
            "<0x41>",
            "<|end|>",
            "<|im_end|>",
            "٣",
            "e\u0301",
            "\ud800",
            "नमस्ते",
            "\u200d",
            "a".repeat(40));

    @TempDir
    Path folder;

    @Test
    void aContinuationOfSentencePieceSaysExactlyItsText() throws IOException {
        try (var engine = open(sentencePiece(256))) {
            continuesExactly(engine.vocabulary());
        }
    }

    @Test
    void aContinuationOfByteLevelBpeSaysExactlyItsText() {
        try (var engine = open(GgufTestModel.file())) {
            continuesExactly(engine.vocabulary());
        }
    }

    @Test
    @EnabledIf(value = SmolModel.IS_THERE, disabledReason = SmolModel.ABSENT)
    void aContinuationLeavesOutTheBytesThatTheVocabularyLacks() {
        try (var engine = SmolModel.open(1)) {
            var vocabulary = engine.vocabulary();
            assertThat(vocabulary.byteToken(4)).isEqualTo(ModelVocabulary.NONE);

            assertThat(vocabulary.bytes(vocabulary.continuation("one\u0004 two")))
                    .asString(UTF_8)
                    .isEqualTo("one two");
            continuesExactly(vocabulary);
        }
    }

    private static void continuesExactly(ModelVocabulary vocabulary) {
        var random = new SplittableRandom(46);
        for (int i = 0; i < TEXTS; i++) {
            var text = text(random, vocabulary);
            int[] ids = vocabulary.continuation(text);

            assertThat(vocabulary.bytes(ids)).isEqualTo(text.getBytes(UTF_8));
            assertThat(IntStream.of(ids).boxed()).noneMatch(vocabulary::isControl);
        }
    }

    /// Of what vocabularies find hard and of any characters, without the bytes that this one lacks.
    private static String text(SplittableRandom random, ModelVocabulary vocabulary) {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            var piece = random.nextBoolean()
                    ? PIECES.get(random.nextInt(PIECES.size()))
                    : Character.toString(random.nextInt(random.nextBoolean() ? 0x80 : 0x11_0000));
            if (IntStream.range(0, piece.getBytes(UTF_8).length)
                    .allMatch(at -> vocabulary.byteToken(piece.getBytes(UTF_8)[at] & 0xFF) != ModelVocabulary.NONE)) {
                text.append(piece);
            }
        }
        return text.toString();
    }

    /// llama.cpp would end the process, so that a failure is the end of the tests.
    @ParameterizedTest
    @ValueSource(strings = {"tekken", "deepseek-llm", "falcon"})
    void aLongWordIsSplitInPieces(String patterns) throws Exception {
        try (var engine = open(SmallTestModel.byteLevel(folder.resolve("model.gguf"), patterns))) {
            var vocabulary = engine.vocabulary();
            for (var letter : List.of("a", "é", "あ", "😀", "1", "!", " ", "\n", "an ")) {
                var text = "word ".repeat(102) + "ab " + letter.repeat(20_000);
                var split = new CompletableFuture<int[]>();
                Thread.ofVirtual().start(() -> split.complete(vocabulary.continuation(text)));

                assertThat(vocabulary.bytes(split.get())).isEqualTo(text.getBytes(UTF_8));
            }
        }
    }

    @Test
    void whereAPieceEndsMakesNoDifference() throws IOException {
        try (var engine = open(SmallTestModel.byteLevel(folder.resolve("model.gguf"), "tekken"))) {
            var vocabulary = engine.vocabulary();
            for (int length = 505; length < 520; length++) {
                for (var end : List.of("", " ", " b", "\n", "😀")) {
                    var text = "a".repeat(length) + end;

                    assertThat(vocabulary.bytes(vocabulary.continuation(text))).isEqualTo(text.getBytes(UTF_8));
                }
            }
        }
    }

    @Test
    void aMarkInALongWordStaysOne() throws IOException {
        try (var engine = open(SmallTestModel.byteLevel(folder.resolve("model.gguf"), "tekken"))) {
            var vocabulary = engine.vocabulary();
            int mark = vocabulary.tokenize(SmallTestModel.MARK, true)[0];
            for (int length = 490; length < 530; length++) {
                int[] ids = vocabulary.tokenize("é".repeat(length) + SmallTestModel.MARK + "é".repeat(500), true);

                assertThat(ids).contains(mark).hasSize(2 * (length + 500) + 1);
            }
        }
    }

    @Test
    void onlyWhatBeginsASequenceHasTheBlankOfSentencePieceBeforeIt() throws IOException {
        try (var engine = open(sentencePiece(256))) {
            var vocabulary = engine.vocabulary();

            assertThat(names(vocabulary, vocabulary.tokenize("the", false))).containsExactly("▁the");
            assertThat(names(vocabulary, vocabulary.continuation("the"))).containsExactly("the");
            assertThat(names(vocabulary, vocabulary.continuation(" the"))).containsExactly("▁the");
        }
    }

    @Test
    void controlTokensComeOfTheirSpellingOnlyWhenAsked() throws IOException {
        try (var engine = open(sentencePiece(256))) {
            var vocabulary = engine.vocabulary();

            assertThat(vocabulary.tokenize("</s>", true)).containsExactly(2);
            assertThat(vocabulary.tokenize("</s>", false)).doesNotContain(2);
            assertThat(vocabulary.continuation("</s>")).doesNotContain(2);
        }
    }

    @Test
    void tellsTheMarksOfTheModelFromItsText() throws IOException {
        try (var engine = open(sentencePiece(256))) {
            var vocabulary = engine.vocabulary();
            int mark = vocabulary.tokenize(SmallTestModel.MARK, true)[0];

            assertThat(vocabulary.name(mark)).isEqualTo("<think>");
            assertThat(vocabulary.texts()[mark]).asString(UTF_8).isEqualTo("<think>");
            assertThat(vocabulary.isMark(mark)).isTrue();
            assertThat(vocabulary.isControl(mark)).isFalse();
            assertThat(vocabulary.isControl(2)).isTrue();
            assertThat(vocabulary.texts()[2]).isEmpty();
            assertThat(vocabulary.ends()).containsExactly(2);
            assertThat(vocabulary.beginText()).isEqualTo("<s>");
            assertThat(vocabulary.endText()).isEqualTo("</s>");
            assertThat(vocabulary.addsBegin()).isTrue();
            assertThat(vocabulary.size()).isEqualTo(engine.describe().vocabularySize());
        }
    }

    @Test
    void tokensOfHarmonyWriteTheSameBytesAsItsTokenizerSays() {
        try (var engine = open(GgufTestModel.file())) {
            var vocabulary = engine.vocabulary();

            assertThat(IntStream.range(0, SpecialTokens.FIRST).boxed())
                    .allMatch(id -> Arrays.equals(
                            vocabulary.texts()[id], HarmonyTokenizer.shared().bytes(id)));
            assertThat(IntStream.range(0, 256).boxed())
                    .allMatch(value -> vocabulary.byteToken(value) != ModelVocabulary.NONE);
            assertThat(vocabulary.ends()).contains(SpecialTokens.RETURN);
        }
    }

    @Test
    void refusesSentencePieceThatCannotWriteEveryByte() throws IOException {
        try (var engine = open(sentencePiece(200))) {
            assertThatThrownBy(engine::vocabulary)
                    .isInstanceOf(UnusableModelException.class)
                    .hasMessageContaining("has a SentencePiece vocabulary without byte fallback");
        }
    }

    @Test
    void isOfNoMoreUseOnceItsEngineIsClosed() throws IOException {
        var engine = open(sentencePiece(256));
        var vocabulary = engine.vocabulary();
        engine.close();

        assertThatThrownBy(() -> vocabulary.tokenize("the", false)).isInstanceOf(IllegalStateException.class);
    }

    private Path sentencePiece(int bytes) throws IOException {
        return SmallTestModel.sentencePiece(folder.resolve(bytes + ".gguf"), bytes);
    }

    private static LlamaEngine open(Path file) {
        return LlamaEngine.open(
                TestLibrary.source(), new LlamaOptions("made-up", file, LlamaOptions.Capacity.of(1, 64, 256), 1));
    }

    private static List<String> names(ModelVocabulary vocabulary, int... ids) {
        return IntStream.of(ids).mapToObj(vocabulary::name).toList();
    }
}
