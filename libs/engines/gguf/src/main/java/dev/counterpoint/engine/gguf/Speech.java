package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.chat.HarmonyWriter;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Says a turn's text as Harmony, from where an earlier attempt broke off. Not thread-safe.
final class Speech implements TurnReader.Listener {
    private final TurnReader reader;
    private final FunctionNames names;
    private final HarmonyWriter writer;
    private final Utf8Stream characters = new Utf8Stream(false);
    private final int tokensMax;
    private int tokens;
    /// True while the tokens read are earlier output.
    private boolean retold = true;
    private @Nullable Part part;
    /// Characters of the open part that were read.
    private int read;
    private final EarlierSpeech earlier;

    /// @param turn the steps of its text
    /// @param names of the functions that the client declared
    /// @param written the text of what was said before
    Speech(TurnStep turn, FunctionNames names, GenerationRequest request, EarlierSpeech earlier, String written) {
        this.names = names;
        this.earlier = earlier;
        writer = HarmonyWriter.after(request.prefix(), earlier.half().length);
        tokensMax = request.maxTokens();
        tokens = request.prefix().length;
        reader = new TurnReader(turn, this);
        reader.accept(written);
        retold = false;
        accept(earlier.half());
    }

    /// Takes what the model writes.
    void accept(byte[] text) {
        reader.accept(characters.append(text, 0, text.length));
    }

    /// No more comes.
    ///
    /// @param whole whether the model ended its turn
    void finish(boolean whole) {
        reader.accept(characters.flush());
        reader.finish();
        if (whole) {
            writer.end();
        }
    }

    /// The tokens since the last time, as many as the limit leaves.
    int[] take() {
        int[] all = writer.take();
        int fitting = Math.min(all.length, tokensMax - tokens);
        tokens += all.length;
        return fitting == all.length ? all : Arrays.copyOf(all, fitting);
    }

    boolean full() {
        return tokens > tokensMax;
    }

    @Override
    public void text(Part now, String text) {
        if (now != part) {
            open(now);
        }
        int before = read;
        read += text.length();
        if (retold) {
            return;
        }
        // The reader repeats the text that it held back at the end of the earlier output.
        var fresh = text.substring(Math.clamp(earlier.lengthOf(now) - before, 0, text.length()));
        if (!fresh.isEmpty()) {
            say(now, fresh);
        }
    }

    private void say(Part now, String text) {
        switch (now) {
            case REASONING -> writer.say(new TextPiece(Kind.REASONING, text));
            case ANSWER -> writer.say(new TextPiece(Kind.ANSWER, text));
            case ARGUMENTS -> writer.text(text);
        }
    }

    @Override
    public void called(FunctionTool tool) {
        open(Part.ARGUMENTS);
        if (!retold) {
            writer.call(names.recipient(tool.name()), tool.input() != null);
        }
    }

    private void open(Part now) {
        part = now;
        read = 0;
    }
}
