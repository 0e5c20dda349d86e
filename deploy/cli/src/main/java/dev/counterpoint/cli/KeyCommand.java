package dev.counterpoint.cli;

import static java.util.Objects.requireNonNull;

import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Makes a key of ML-DSA for the log.
@Command(
        name = "key",
        description = "Makes an ML-DSA-44 key, with which the audit service signs checkpoints beside its own one, and"
                + " prints its vkey.")
final class KeyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ORIGIN", description = "Name of the log: the setting audit.log-origin.")
    private String origin = "";

    @Parameters(paramLabel = "FILE", description = "File for the key. One that exists stays as it is.")
    private @Nullable Path file;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var path = requireNonNull(file);
        var command = requireNonNull(spec).commandLine();
        try {
            var signer = NoteSigner.generate(origin, SignatureType.ML_DSA_44);
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(path, signer.secret(), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            command.getOut().println(signer.verifier());
            return 0;
        } catch (FileAlreadyExistsException e) {
            command.getErr().println(path + " exists already and is left as it is");
        } catch (InvalidLogException | IOException e) {
            command.getErr().println("No key was made: " + e);
        }
        return 1;
    }
}
