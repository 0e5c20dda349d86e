package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.nio.file.Files;
import java.nio.file.Path;

/// SmolLM2-135M-Instruct, a real model small enough for tests: the file that `-Dcounterpoint.gguf` names, else one in
/// the cache. Asked for by `-Pgguf`.
public final class SmolModel {
    /// For `@EnabledIf`.
    public static final String IS_THERE = "dev.counterpoint.engine.llama.SmolModel#isThere";

    public static final String ABSENT = "ask for it by -Pgguf";

    private static final String NAME = "SmolLM2-135M-Instruct.Q4_1.gguf";

    private SmolModel() {}

    /// @throws IllegalStateException when it is asked for and not there
    public static boolean isThere() {
        if (!System.getProperty("gguf", "").equals("required")) {
            return false;
        }
        if (!Files.exists(file()) || !TestLibrary.isThere()) {
            throw new IllegalStateException("there is no " + file() + "; -Dcounterpoint.gguf=FILE names another");
        }
        return true;
    }

    public static Path file() {
        var named = System.getProperty("counterpoint.gguf", "");
        return named.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "counterpoint", "models", NAME)
                : Path.of(named);
    }

    /// With so many slots, each with some hundred tokens.
    public static LlamaEngine open(int slots) {
        var capacity = LlamaOptions.Capacity.of(slots, 640, 4096);
        return LlamaEngine.open(TestLibrary.source(), new LlamaOptions("SmolLM2", file(), capacity, 1));
    }
}
