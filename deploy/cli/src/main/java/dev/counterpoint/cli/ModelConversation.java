package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Questions of one user, each after the answer to the one before. Not thread-safe.
final class ModelConversation {
    private static final String PREVIOUS = "previous_response_id";

    private final RequestOptions options;
    private final CommandOutput terminal;
    private final SuiteClient client;
    private final ObjectNode request;

    /// @param previous response to continue from
    ModelConversation(RequestOptions options, @Nullable String previous) {
        this.options = options;
        this.terminal = options.terminal();
        this.client = options.client();
        this.request = options.request(client);
        if (previous != null) {
            request.put(PREVIOUS, previous);
        }
    }

    int ask(String question) {
        request.put("input", question);
        if (options.json()) {
            var response = client.send("POST", "/responses", request);
            terminal.line(response.toString());
            return AnswerPrinter.failure(response).isEmpty() ? 0 : CommandFailure.REFUSED;
        }
        var printer = new AnswerPrinter(terminal, options.reasoning());
        client.stream("/responses", request.put("stream", true), printer::accept);
        request.put(PREVIOUS, printer.finish());
        return 0;
    }

    /// Asks each line until the input ends. A question that fails ends nothing.
    ///
    /// @return exit code of the last question
    int chat(InputStream input) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        int exitCode = 0;
        for (var line = next(lines); line != null && !line.equals("/exit"); line = next(lines)) {
            if (line.equals("/new")) {
                request.remove(PREVIOUS);
            } else if (!line.isBlank()) {
                try {
                    exitCode = ask(line);
                } catch (CommandFailure e) {
                    terminal.error(String.valueOf(e.getMessage()));
                    exitCode = e.exitCode();
                }
            }
        }
        return exitCode;
    }

    private @Nullable String next(BufferedReader lines) throws IOException {
        if (terminal.styled()) {
            terminal.dim("> ");
        }
        return lines.readLine();
    }
}
