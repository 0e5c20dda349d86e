package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// SmolLM2-135M-Instruct, a real model small enough for tests: the file that `-Dcounterpoint.gguf` names, else the
/// demonstration model, which is downloaded once. `-Dgguf=optional` asks for it, `-Dgguf=required` makes its absence a
/// failure.
public final class SmolModel {
    /// For `@EnabledIf`.
    public static final String IS_THERE = "dev.counterpoint.engine.llama.SmolModel#isThere";

    public static final String ABSENT = "ask for it by -Dgguf=optional";

    private static @Nullable Boolean there;

    private SmolModel() {}

    /// Says why in one line when it is not there.
    ///
    /// @throws IllegalStateException when it is not there and `-Dgguf=required`
    public static synchronized boolean isThere() {
        if (there == null) {
            there = look(System.getProperty("gguf", "none"));
        }
        return there;
    }

    private static boolean look(String demand) {
        if (demand.equals("none") || !TestLibrary.isThere()) {
            return false;
        }
        try {
            return Files.exists(file());
        } catch (UncheckedIOException e) {
            if (demand.equals("required")) {
                throw new IllegalStateException(e.getMessage(), e);
            }
            System.out.println("SmolLM2 is left out: " + e.getMessage());
            return false;
        }
    }

    /// Downloaded where it is not there yet.
    public static Path file() {
        var named = System.getProperty("counterpoint.gguf", "");
        try {
            return named.isBlank() ? DemonstrationModel.ofEnvironment().find(_ -> {}) : Path.of(named);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// With so many slots, each with some hundred tokens.
    public static LlamaEngine open(int slots) {
        var capacity = LlamaOptions.Capacity.of(slots, 640, 4096);
        return LlamaEngine.open(TestLibrary.source(), new LlamaOptions("SmolLM2", file(), capacity, 1));
    }
}
