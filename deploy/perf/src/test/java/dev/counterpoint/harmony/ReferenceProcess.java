package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A running reference: cases go in as a batch, and it works on them until the answers are read.
final class ReferenceProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter questions;

    /// Returns when the reference has loaded its vocabulary.
    ReferenceProcess(Process process) throws IOException {
        this.process = process;
        answers = process.inputReader(StandardCharsets.US_ASCII);
        questions = process.outputWriter(StandardCharsets.US_ASCII);
        readLine();
    }

    void send(List<? extends JsonNode> cases) throws IOException {
        questions.write(cases.size() + "\n");
        for (JsonNode one : cases) {
            questions.write(OracleJson.write(one));
            questions.write('\n');
        }
        questions.flush();
    }

    List<JsonNode> receive(int count) throws IOException {
        var received = new ArrayList<JsonNode>();
        for (int i = 0; i < count; i++) {
            received.add(OracleJson.read(readLine()));
        }
        return received;
    }

    private String readLine() throws IOException {
        var line = answers.readLine();
        if (line == null) {
            throw new IOException("the reference ended, exit status "
                    + process.onExit().join().exitValue());
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        questions.close();
        process.destroy();
    }
}
