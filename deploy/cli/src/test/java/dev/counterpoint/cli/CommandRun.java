package dev.counterpoint.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/// What the command printed, and its exit code.
record CommandRun(int code, String out, String errors) {
    static CommandRun of(Object... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        var texts = new String[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = arguments[i].toString();
        }
        int code = Counterpoint.run(new PrintWriter(out, true), new PrintWriter(errors, true), texts);
        return new CommandRun(code, out.toString().strip(), errors.toString());
    }

    static CommandRun verify(Object... arguments) {
        var all = new Object[arguments.length + 5];
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[0] = "audit";
        all[1] = "verify";
        all[arguments.length + 2] = "--key";
        all[arguments.length + 3] = SampleLog.KEY;
        all[arguments.length + 4] = "--json";
        return of(all);
    }

    static String json(boolean ok, String kind, @Nullable Object firstBad, @Nullable Object size) {
        return "{\"ok\":" + ok + ",\"kind\":" + (kind.isEmpty() ? "null" : "\"" + kind + "\"") + ",\"first_bad\":"
                + firstBad + ",\"size\":" + size + "}";
    }
}
