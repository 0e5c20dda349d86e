package dev.counterpoint.engine.llama;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// llama.cpp's own log: its errors are warnings of ours, the rest is for debugging. It never holds
/// content: of texts llama.cpp sees only those that it splits into tokens, and of these it says nothing.
@SuppressWarnings("restricted") // foreign functions are the purpose
final class LlamaLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.counterpoint.llama");
    private static final int ERROR = 4;
    private static final int LINE_BYTES_MAX = 1 << 16;

    private static volatile String lastError = "";

    private static volatile boolean errorsExpected;

    private LlamaLog() {}

    /// The function to hand to `llama_log_set`.
    static MemorySegment callback() {
        try {
            var type = MethodType.methodType(void.class, int.class, MemorySegment.class, MemorySegment.class);
            var method = MethodHandles.lookup().findStatic(LlamaLog.class, "line", type);
            var signature = FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
            return Linker.nativeLinker().upcallStub(method, signature, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The last line that llama.cpp called an error, empty when there was none since the last call.
    static String takeError() {
        var error = lastError;
        lastError = "";
        return error;
    }

    static void expectErrors(boolean expected) {
        errorsExpected = expected;
    }

    @SuppressWarnings("unused") // llama.cpp calls it
    private static void line(int level, MemorySegment text, MemorySegment userData) {
        try {
            if (level == ERROR && !errorsExpected) {
                lastError = read(text);
                LOG.warn("llama.cpp: {}", lastError);
            } else if (LOG.isDebugEnabled()) {
                LOG.debug("llama.cpp: {}", read(text));
            }
        } catch (RuntimeException e) {
            // An exception that reaches llama.cpp would end the process; a line of a log is not worth that.
            lastError = "a line of the log could not be read";
        }
    }

    private static String read(MemorySegment text) {
        return text.reinterpret(LINE_BYTES_MAX).getString(0).strip();
    }
}
