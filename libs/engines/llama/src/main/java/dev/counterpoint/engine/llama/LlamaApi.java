package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.llama.LlamaLayouts.BATCH;
import static dev.counterpoint.engine.llama.LlamaLayouts.CONTEXT_PARAMS;
import static dev.counterpoint.engine.llama.LlamaLayouts.MODEL_PARAMS;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The functions of libllama that this engine calls. A library is loaded once and stays until the process ends.
///
/// Structs differ from release to release, so a library of another release is refused before anything but its
/// version is asked for.
@SuppressWarnings("restricted") // foreign functions are the purpose
final class LlamaApi {
    static final String VERSION = "0.5.0";
    static final int TEXT_BYTES_MAX = 1 << 12;
    private static final Map<Path, LlamaApi> LOADED = new ConcurrentHashMap<>();
    private static final Linker LINKER = Linker.nativeLinker();

    final MethodHandle supportsGpu;
    final MethodHandle modelDefaultParams;
    final MethodHandle modelLoad;
    final MethodHandle modelFree;
    final MethodHandle modelVocabulary;
    final MethodHandle vocabularySize;
    final MethodHandle vocabularyType;
    final MethodHandle tokenize;
    final MethodHandle tokenText;
    final MethodHandle tokenName;
    final MethodHandle tokenAttributes;
    final MethodHandle isEndToken;
    final MethodHandle beginToken;
    final MethodHandle endToken;
    final MethodHandle addsBegin;
    final MethodHandle modelWindow;
    final MethodHandle hasEncoder;
    final MethodHandle hasDecoder;
    final MethodHandle isRecurrent;
    final MethodHandle isHybrid;
    final MethodHandle isDiffusion;
    final MethodHandle contextDefaultParams;
    final MethodHandle contextInit;
    final MethodHandle contextFree;
    final MethodHandle contextMemory;
    final MethodHandle contextSize;
    final MethodHandle decode;
    final MethodHandle logits;
    final MethodHandle sequenceRemove;
    final MethodHandle sequenceCopy;
    final MethodHandle sequenceFirst;
    final MethodHandle sequenceLast;

    private final SymbolLookup library;
    private final Path file;

    private LlamaApi(Path file) {
        this.file = file;
        this.library = open(file);
        checkVersion();
        initialise();
        supportsGpu = function("llama_supports_gpu_offload", JAVA_BOOLEAN);
        modelDefaultParams = function("llama_model_default_params", MODEL_PARAMS);
        modelLoad = function("llama_model_load_from_file", ADDRESS, ADDRESS, MODEL_PARAMS);
        modelFree = function("llama_model_free", null, ADDRESS);
        modelVocabulary = function("llama_model_get_vocab", ADDRESS, ADDRESS);
        vocabularySize = function("llama_vocab_n_tokens", JAVA_INT, ADDRESS);
        vocabularyType = function("llama_vocab_type", JAVA_INT, ADDRESS);
        tokenize = function(
                "llama_tokenize", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_BOOLEAN, JAVA_BOOLEAN);
        tokenText = function(
                "llama_token_to_piece", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_BOOLEAN);
        tokenName = function("llama_vocab_get_text", ADDRESS, ADDRESS, JAVA_INT);
        tokenAttributes = function("llama_vocab_get_attr", JAVA_INT, ADDRESS, JAVA_INT);
        isEndToken = function("llama_vocab_is_eog", JAVA_BOOLEAN, ADDRESS, JAVA_INT);
        beginToken = function("llama_vocab_bos", JAVA_INT, ADDRESS);
        endToken = function("llama_vocab_eos", JAVA_INT, ADDRESS);
        addsBegin = function("llama_vocab_get_add_bos", JAVA_BOOLEAN, ADDRESS);
        modelWindow = function("llama_model_n_swa", JAVA_INT, ADDRESS);
        hasEncoder = function("llama_model_has_encoder", JAVA_BOOLEAN, ADDRESS);
        hasDecoder = function("llama_model_has_decoder", JAVA_BOOLEAN, ADDRESS);
        isRecurrent = function("llama_model_is_recurrent", JAVA_BOOLEAN, ADDRESS);
        isHybrid = function("llama_model_is_hybrid", JAVA_BOOLEAN, ADDRESS);
        isDiffusion = function("llama_model_is_diffusion", JAVA_BOOLEAN, ADDRESS);
        contextDefaultParams = function("llama_context_default_params", CONTEXT_PARAMS);
        contextInit = function("llama_init_from_model", ADDRESS, ADDRESS, CONTEXT_PARAMS);
        contextFree = function("llama_free", null, ADDRESS);
        contextMemory = function("llama_get_memory", ADDRESS, ADDRESS);
        contextSize = function("llama_n_ctx", JAVA_INT, ADDRESS);
        decode = function("llama_decode", JAVA_INT, ADDRESS, BATCH);
        logits = function("llama_get_logits_ith", ADDRESS, ADDRESS, JAVA_INT);
        sequenceRemove = function("llama_memory_seq_rm", JAVA_BOOLEAN, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
        sequenceCopy = function("llama_memory_seq_cp", null, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
        sequenceFirst = function("llama_memory_seq_pos_min", JAVA_INT, ADDRESS, JAVA_INT);
        sequenceLast = function("llama_memory_seq_pos_max", JAVA_INT, ADDRESS, JAVA_INT);
    }

    /// @throws LlamaUnavailableException when the file cannot be loaded here or is of another release
    static LlamaApi load(Path file) {
        return LOADED.computeIfAbsent(file, LlamaApi::new);
    }

    private static SymbolLookup open(Path file) {
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new LlamaUnavailableException(
                    file + " cannot be loaded; `ldd " + file + "` tells what is missing", e);
        }
    }

    private void checkVersion() {
        if (library.find("llama_version").isEmpty()) {
            throw new LlamaUnavailableException(
                    file + " is no llama.cpp " + VERSION + ": it does not tell its version, so it is older");
        }
        checkVersion(file, text("llama_version"));
    }

    /// What follows the number names a build of the same release.
    static void checkVersion(Path file, String version) {
        if (!version.matches(Pattern.quote(VERSION) + "([^0-9.].*)?")) {
            throw new LlamaUnavailableException(
                    file + " is llama.cpp " + version + "; this engine works with " + VERSION + " only");
        }
    }

    private void initialise() {
        try (var arena = Arena.ofConfined()) {
            function("llama_log_set", null, ADDRESS, ADDRESS).invokeExact(LlamaLog.callback(), MemorySegment.NULL);
            // Devices come as libraries of their own beside this one; the fastest that this processor runs is taken.
            var folder = arena.allocateFrom(String.valueOf(file.getParent()));
            function("ggml_backend_load_all_from_path", null, ADDRESS).invokeExact(folder);
            function("llama_backend_init", null).invokeExact();
        } catch (Throwable e) {
            throw broken("llama_backend_init", e);
        }
    }

    private String text(String function) {
        try {
            return string((MemorySegment) function(function, ADDRESS).invokeExact());
        } catch (Throwable e) {
            throw broken(function, e);
        }
    }

    static String string(MemorySegment text) {
        return text.reinterpret(TEXT_BYTES_MAX).getString(0);
    }

    private MethodHandle function(String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
        var address =
                library.find(name).orElseThrow(() -> new LlamaUnavailableException(file + " has no function " + name));
        var signature =
                result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments);
        return LINKER.downcallHandle(address, signature);
    }

    /// A call into the library declares Throwable, yet only we throw.
    static IllegalStateException broken(String function, Throwable cause) {
        if (cause instanceof RuntimeException ours) {
            throw ours;
        }
        return new IllegalStateException(function, cause);
    }
}
