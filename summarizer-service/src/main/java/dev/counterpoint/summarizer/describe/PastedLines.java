package dev.counterpoint.summarizer.describe;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Lines that the user probably pasted into a message: code outside of blocks, configuration, logs, JSON.
final class PastedLines {
    private static final String CODE_END = ".*(?:[{}\\[]|(?<![:;])\\(|[)\\]}>'\"\\w]?;|[\\]}],?|=>)\\s*";
    private static final String CODE_BEGINNING = "\\s*(?:[{}\\])<.]\\w*|//|/\\*|\\$ |>>> |#!/"
            + "|(?:const|let|var|function|def|class|import|from|return) [\\w.{*]+ ?[({=:;].*).*";
    private static final String COMMAND =
            "\\s*(?:SELECT|FROM|WHERE|(?:LEFT )?JOIN|(?:GROUP|ORDER) BY|INSERT|UPDATE|CREATE|RUN|COPY|ENV) .*";
    private static final String INDENTED = "(?: {4}|\\t).*";
    private static final String CALL = "\\s*[\\w.]+\\(.*\\)\\s*";
    private static final String ASSIGNMENT = "\\s*[\\w.\\[\\]-]+ ?:?= ?\\S.*";
    /// An indented key or a key alone, and what is listed below it.
    private static final String CONFIGURATION =
            "\\s{2,}(?:- )?[\\w.\"/-]+:(?:\\s.*)?|[\\w.-]+:\\s*|\\s{2,}- [\"']?[\\w.:/-]+[\"']?\\s*";
    private static final String LOG =
            "\\s*\\[?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d|\\d\\d:\\d\\d:\\d\\d).*" + "|(?:FATAL|ERROR|WARN|INFO|DEBUG)\\b.*";
    private static final String STACK_TRACE =
            "\\s*(?:at [\\w.$]+\\(|File \"|Traceback |goroutine \\d|Caused by:|Exception in thread "
                    + "|\\w*(?:Error|Exception): ).*";
    private static final String JSON = ".*\\{\\s*\".*";
    private static final Pattern LINE = Pattern.compile(String.join(
            "|", CODE_END, CODE_BEGINNING, COMMAND, INDENTED, CALL, ASSIGNMENT, CONFIGURATION, LOG, STACK_TRACE, JSON));

    private PastedLines() {}

    /// The message without pasted lines; the whole message if no letter would remain.
    static String removed(String message) {
        var said = message.lines().filter(line -> !LINE.matcher(line).matches()).collect(Collectors.joining("\n"));
        return said.chars().anyMatch(Character::isLetter) ? said : message;
    }
}
