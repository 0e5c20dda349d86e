package dev.counterpoint.local;

import dev.counterpoint.engine.llama.DemonstrationModel;
import dev.counterpoint.engine.llama.LibrarySource;
import dev.counterpoint.engine.llama.LlamaLibrary;
import dev.counterpoint.engine.llama.LlamaUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/// Command that downloads the demonstration model and llama.cpp's library, once, and prints where the model is. Exit
/// status: 0 it is there, 1 it cannot be had, and standard error says why in a line.
public final class FetchModel {
    private FetchModel() {}

    public static void main(String[] arguments) {
        try {
            System.out.println(find(System.err));
        } catch (IOException | LlamaUnavailableException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /// First the library, which is smaller and runs on fewer machines.
    static Path find(PrintStream out) throws IOException {
        var folder = Optional.ofNullable(System.getenv("WORKER_LLAMA_LIBRARY_FOLDER"));
        LlamaLibrary.check(LibrarySource.ofEnvironment(folder.map(Path::of)));
        // The scripts know whether there is a terminal: the input is none.
        var terminal = Boolean.getBoolean("counterpoint.terminal");
        return DemonstrationModel.ofEnvironment().find(new ProgressLine(terminal, DemonstrationModel.BYTES, out));
    }
}
