package dev.counterpoint.testkit;

/// What Codex declares of its tools.
public final class CodexTools {
    /// The Lark grammar of `apply_patch`, as Codex 0.169 sends it.
    public static final String APPLY_PATCH = """
            start: begin_patch hunk+ end_patch
            begin_patch: "*** Begin Patch" LF
            end_patch: "*** End Patch" LF?

            hunk: add_hunk | delete_hunk | update_hunk
            add_hunk: "*** Add File: " filename LF add_line+
            delete_hunk: "*** Delete File: " filename LF
            update_hunk: "*** Update File: " filename LF change_move? change?

            filename: /(.+)/
            add_line: "+" /(.*)/ LF -> line

            change_move: "*** Move to: " filename LF
            change: (change_context | change_line)+ eof_line?
            change_context: ("@@" | "@@ " /(.+)/) LF
            change_line: ("+" | "-" | " ") /(.*)/ LF
            eof_line: "*** End of File" LF

            %import common.LF
            """;

    private CodexTools() {}
}
