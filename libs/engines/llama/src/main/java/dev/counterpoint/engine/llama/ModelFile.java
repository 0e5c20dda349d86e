package dev.counterpoint.engine.llama;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// What a GGUF says of its model, read without loading it.
///
/// @param name for people; the file's own name where the model has none
/// @param architecture as llama.cpp names them, such as `llama` or `gpt-oss`
/// @param vocabulary the kind of its vocabulary, as the file says it: `gpt2` (byte-level BPE) or `llama`
/// (SentencePiece)
/// @param vocabularySize ids are 0 to this, exclusive
/// @param contextLength tokens of a sequence that the model was made for
/// @param templates its chat templates by name; the usual one is [#DEFAULT_TEMPLATE]
public record ModelFile(
        Path path,
        String name,
        String architecture,
        String vocabulary,
        int vocabularySize,
        int contextLength,
        Map<String, String> templates) {
    public static final String DEFAULT_TEMPLATE = "default";

    /// Harmony's vocabulary; with another one the ids of our tokenizer would mean something else.
    static final int HARMONY_TOKENS = 201_088;

    private static final String TEMPLATE = "tokenizer.chat_template";

    public ModelFile {
        templates = Map.copyOf(templates);
    }

    /// llama.cpp's own complaints come late and in its own words, so what can be seen from the header is said here.
    ///
    /// @throws UnusableModelException when the file is missing, cut within its header, no GGUF, or of a model that
    /// cannot be run
    public static ModelFile read(Path path) {
        return of(path, GgufHeader.read(path));
    }

    static ModelFile of(Path path, GgufHeader header) {
        var architecture = header.text("general.architecture");
        var vocabulary = header.text("tokenizer.ggml.model");
        if (architecture.isEmpty()) {
            throw new UnusableModelException(path, "does not say of what architecture its model is");
        }
        if (!vocabulary.equals("gpt2") && !vocabulary.equals("llama")) {
            throw new UnusableModelException(
                    path,
                    "has a vocabulary of the kind '" + vocabulary
                            + "'; this engine runs byte-level BPE ('gpt2') and SentencePiece ('llama')");
        }
        if (header.ofModel("pooling_type") > 0) {
            throw new UnusableModelException(path, "holds a model that makes embeddings, not text");
        }
        var name = header.text("general.name");
        return new ModelFile(
                path,
                name.isEmpty() ? String.valueOf(path.getFileName()) : name,
                architecture,
                vocabulary,
                (int) header.lengths().getOrDefault("tokenizer.ggml.tokens", 0L).longValue(),
                (int) Math.min(Integer.MAX_VALUE, header.ofModel("context_length")),
                templates(header));
    }

    private static Map<String, String> templates(GgufHeader header) {
        var templates = new HashMap<String, String>();
        header.texts().forEach((key, text) -> {
            if (key.equals(TEMPLATE)) {
                templates.put(DEFAULT_TEMPLATE, text);
            } else if (key.startsWith(TEMPLATE + ".")) {
                templates.put(key.substring(TEMPLATE.length() + 1), text);
            }
        });
        return templates;
    }

    /// True of a gpt-oss model: its ids are those of Harmony. Others have a vocabulary and a template of their own.
    public boolean isHarmony() {
        return architecture.equals("gpt-oss") && vocabularySize == HARMONY_TOKENS;
    }
}
