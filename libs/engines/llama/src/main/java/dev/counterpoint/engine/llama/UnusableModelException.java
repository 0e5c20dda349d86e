package dev.counterpoint.engine.llama;

import java.nio.file.Path;

/// The file is not a model that this engine can run; the message names the file and what is wrong with it.
public final class UnusableModelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnusableModelException(Path file, String problem) {
        super("model file " + file + " " + problem);
    }

    public UnusableModelException(Path file, String problem, Throwable cause) {
        super("model file " + file + " " + problem, cause);
    }
}
