package dev.counterpoint.local;

import dev.counterpoint.engine.llama.DemonstrationModel;
import dev.counterpoint.engine.llama.LlamaUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The engine that `--engine auto` takes: a server with gpt-oss, else the demonstration model, else the stand-in.
///
/// @param arguments that ask for it
/// @param text which one it is and why, in a line for people
record AutomaticEngine(List<String> arguments, String text) {
    private static final String NO_SERVER = "No server with gpt-oss was found on this machine: taking ";

    /// Finds the file of a model that can be computed here.
    interface ModelFile {
        Path find() throws IOException;
    }

    static AutomaticEngine choose(LocalServers servers, ModelFile model) {
        return servers.forAuto()
                .map(server -> new AutomaticEngine(
                        List.of(server.arguments().split(" ")),
                        "Found " + server.text() + "; taking it by --engine " + server.engine()))
                .orElseGet(() -> computed(model));
    }

    private static AutomaticEngine computed(ModelFile model) {
        try {
            return new AutomaticEngine(
                    List.of("--engine=llama", "--model=" + model.find(), "--model-name=" + DemonstrationModel.NAME),
                    NO_SERVER + DemonstrationModel.TEXT);
        } catch (IOException | LlamaUnavailableException e) {
            return new AutomaticEngine(
                    List.of("--engine=simulated"),
                    NO_SERVER + "simulated, a stand-in without a model: " + e.getMessage());
        }
    }
}
