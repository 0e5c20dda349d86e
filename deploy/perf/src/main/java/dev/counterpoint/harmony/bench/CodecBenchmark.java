package dev.counterpoint.harmony.bench;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/// One operation encodes or decodes all documents of a text.
@State(Scope.Benchmark)
public class CodecBenchmark {
    @Param({"prose", "code", "multilingual"})
    public String text = "";

    private final HarmonyTokenizer tokenizer = HarmonyTokenizer.shared();
    private String[] documents = {};
    private List<int[]> tokens = List.of();

    @Setup(Level.Trial)
    public void read() {
        documents = Corpus.documents(text);
        tokens = Arrays.stream(documents).map(tokenizer::encode).toList();
    }

    @Benchmark
    public void encode(Blackhole hole) {
        for (String document : documents) {
            hole.consume(tokenizer.encode(document));
        }
    }

    @Benchmark
    public void decode(Blackhole hole) {
        for (int[] document : tokens) {
            hole.consume(tokenizer.decode(document));
        }
    }

    /// jtokkit on the same documents.
    @State(Scope.Benchmark)
    public static class Jtokkit {
        final Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        private List<IntArrayList> tokens = List.of();

        @Setup(Level.Trial)
        public void encode(CodecBenchmark texts) {
            tokens =
                    Arrays.stream(texts.documents).map(encoding::encodeOrdinary).toList();
        }
    }

    @Benchmark
    public void jtokkitEncode(Jtokkit jtokkit, Blackhole hole) {
        for (String document : documents) {
            hole.consume(jtokkit.encoding.encodeOrdinary(document));
        }
    }

    @Benchmark
    public void jtokkitDecode(Jtokkit jtokkit, Blackhole hole) {
        for (IntArrayList document : jtokkit.tokens) {
            hole.consume(jtokkit.encoding.decode(document));
        }
    }
}
