package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.engine.chat.ChatEvent.Finish;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.engine.chat.split.ToldPart;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes one output: asks for a report of the reasoning, where the model gives one; asks for the
/// answer; asks for the reasons, where there were none.
///
/// Runs on one thread; an interrupt ends every wait in it, and with it the connection. A request is
/// sent to another server only as long as nothing came of it.
final class ChatRun {
    private static final String PATH = "/v1/chat/completions";
    /// A server that says more than any context holds is broken.
    private static final int CHARACTERS_PER_TOKEN_MAX = 64;
    /// The longest time in which a server that is alive, as its comments show, says nothing of the output.
    private static final long SPEECHLESS_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

    /// Tokens of a header and of what ends the output.
    private static final int HEADER_TOKENS = 16;

    private final UpstreamClient servers;
    private final ChatOptions options;
    private final GenerationRequest request;
    private final ChatTask wanted;
    private final ChatRequestBody body;
    private final HarmonyWriter speech;
    private final ToolCallWriter calls;
    private final StringBuilder answer = new StringBuilder();
    /// What came in the middle of the answer, or of calls.
    private final List<TextPiece> late = new ArrayList<>();
    private final Extraction extraction;
    private int said;
    private boolean full;
    private boolean reasoned;
    private boolean called;
    private boolean textOver;

    /// @param known what is known of the model, for the whole job
    ChatRun(UpstreamClient servers, ChatOptions options, KnownModel known, GenerationRequest request) {
        this.servers = servers;
        this.options = options;
        this.request = request;
        wanted = ChatTask.of(request.requireJob(), known, options.reasoning());
        body = new ChatRequestBody(options.upstreamModel(), wanted, known.takesSchemas());
        speech = new HarmonyWriter(request.prefix());
        said = request.prefix().length;
        extraction = wanted.extraction();
        var declared = wanted.job().tools().stream()
                .map(GenerationJob.FunctionTool::name)
                .toList();
        var plain = declared.stream().filter(wanted::takesPlainText).toList();
        calls = new ToolCallWriter(new FunctionNames(declared, plain), speech);
    }

    /// Hears the parts of a server's answer.
    private interface Listener {
        void reasoning(String text);

        void content(String text);

        void call(CallDelta delta);
    }

    /// @return why the output ended
    StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException {
        var messages = UpstreamMessages.of(wanted);
        if (wanted.reports()) {
            var report = new ReportListener();
            var finish = askForReport(messages, report, reader);
            say(report.report.finish());
            push(reader);
            if (full || finish == Finish.LENGTH) {
                return StopReason.LENGTH;
            }
            if (!report.report.isEmpty()) {
                messages.addAll(UpstreamMessages.reported(report.report.arguments()));
            }
        }
        var finish = ask(body.of(messages, false, maxTokens()), new AnswerListener(), reader);
        if (!textOver) {
            say(extraction.finish(finish != Finish.LENGTH));
        }
        calls.finish();
        sayLate();
        push(reader);
        if (full || finish == Finish.LENGTH) {
            return StopReason.LENGTH;
        }
        if (finish == Finish.FILTERED) {
            return StopReason.WITHHELD;
        }
        if (wanted.asksAfterwards() && !reasoned && !called && !answer.isEmpty()) {
            askAfterwards(reader);
        }
        speech.end();
        push(reader);
        return full ? StopReason.LENGTH : StopReason.STOP_TOKEN;
    }

    /// A server that refuses the forced call may take the question without it.
    private Finish askForReport(ArrayNode messages, Listener report, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        try {
            return ask(body.of(messages, true, maxTokens()), report, reader);
        } catch (ServerFailure e) {
            if (!e.isMistake() || e.isTooLong()) {
                throw e;
            }
            return Finish.DONE;
        }
    }

    /// The answer is whole; that its reasons are not known does not take it back.
    private void askAfterwards(StreamedGeneration reader) throws InterruptedException {
        try {
            var listener = new AfterwardsListener();
            ask(body.afterwards(answer.toString()), listener, reader);
        } catch (ServerFailure e) {
            // The end says that there is no reasoning, or the beginning of it is all there is.
        }
    }

    /// The tokens that are left of the client's limit, or else the operator's limit.
    private @Nullable Integer maxTokens() {
        return wanted.job().maxOutputTokens() == 0
                ? options.maxTokens()
                : Integer.valueOf(Math.max(1, request.maxTokens() - said));
    }

    /// @return why the server ended
    private Finish ask(ObjectNode question, Listener listener, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var hearing = new Hearing(listener);
        return servers.listen(UpstreamClient.affinity(request), () -> !hearing.touched, server -> {
            reader.awaits(server);
            return listen(server, question, hearing, reader);
        });
    }

    private Finish listen(UpstreamServer server, ObjectNode question, Hearing hearing, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var timeouts = options.access().timeouts();
        long opened = System.nanoTime() + timeouts.firstToken().toNanos();
        try (var events = servers.open(server, new UpstreamClient.Call(PATH, question), opened, reader::heard)) {
            long deadline = System.nanoTime() + SPEECHLESS_NANOS_MAX;
            while (true) {
                var patience = hearing.touched ? timeouts.idle() : timeouts.firstToken();
                var data = events.nextOrEnd(patience.toNanos(), deadline);
                if (data == null) {
                    return hearing.ended();
                }
                var event = ChatEvent.read(data);
                if (event.finish() != Finish.NONE) {
                    events.finish();
                }
                hearing.hear(event);
                if (!event.isEmpty()) {
                    server.succeeded();
                    reader.awaits(null);
                    deadline = System.nanoTime() + SPEECHLESS_NANOS_MAX;
                }
                push(reader);
                if (full) {
                    return Finish.LENGTH;
                }
                if (event.finish() != Finish.NONE) {
                    return event.finish();
                }
            }
        }
    }

    /// What interrupts the answer waits until it is over: two messages would be two paragraphs to the
    /// client.
    private void say(List<? extends ToldPart> told) {
        for (var one : told) {
            switch (one) {
                case TextPiece piece -> say(piece);
                case ToldPart.CallBegun(String recipient) -> {
                    sayLate();
                    called = true;
                    calls.accept(new CallDelta(null, "text-" + calls.size(), recipient, ""));
                }
                case ToldPart.CallArguments(String text) -> calls.accept(new CallDelta(null, "", "", text));
            }
        }
    }

    private void say(TextPiece piece) {
        reasoned |= piece.kind() == Kind.REASONING && !piece.text().isBlank();
        if (called) {
            // Nothing that is an answer comes after a call.
            late.add(piece.kind() == Kind.ANSWER ? new TextPiece(Kind.UNTOLD, piece.text()) : piece);
        } else if (piece.kind() == Kind.ANSWER) {
            answer.append(piece.text());
            speech.say(piece);
        } else if (answer.isEmpty()) {
            speech.say(piece);
        } else {
            late.add(piece);
        }
    }

    private void sayLate() {
        late.forEach(speech::say);
        late.clear();
    }

    private void push(StreamedGeneration reader) throws InterruptedException {
        for (int token : speech.take()) {
            full |= said == request.maxTokens();
            if (full) {
                return;
            }
            said++;
            reader.say(new Step.Token(token, null));
        }
    }

    /// One request and what came of it.
    private final class Hearing {
        private final Listener listener;
        private boolean touched;
        private long characters;

        private Hearing(Listener listener) {
            this.listener = listener;
        }

        /// The stream ended in order, and without a reason for its end.
        private Finish ended() throws ServerFailure {
            if (!touched) {
                throw ServerFailure.broken("the stream ended before the output did");
            }
            return Finish.DONE;
        }

        private void hear(ChatEvent event) throws ServerFailure {
            characters += event.characters();
            if (characters > (long) CHARACTERS_PER_TOKEN_MAX * options.contextLength()) {
                throw ServerFailure.wrong("the server says more than its context holds");
            }
            touched |= !event.isEmpty();
            if (!event.reasoning().isEmpty()) {
                listener.reasoning(event.reasoning());
            }
            if (!event.content().isEmpty()) {
                listener.content(event.content());
            }
            for (var delta : event.calls()) {
                listener.call(delta);
            }
        }
    }

    /// The request for a report brings reasoning only.
    private final class ReportListener implements Listener {
        private final ReportedReasoning report = new ReportedReasoning();

        @Override
        public void reasoning(String text) {
            say(List.of(new TextPiece(Kind.REASONING, text)));
        }

        @Override
        public void content(String text) {
            reasoning(text);
        }

        @Override
        public void call(CallDelta delta) {
            if (!delta.arguments().isEmpty()) {
                say(report.accept(delta.arguments()));
                say(extraction.decide());
            }
        }
    }

    private final class AnswerListener implements Listener {
        /// The server told a call, so the text is over.
        private boolean over;

        @Override
        public void reasoning(String text) {
            if (!over) {
                say(extraction.decide());
            }
            say(new TextPiece(Kind.REASONING, text));
        }

        @Override
        public void content(String text) {
            if (!over) {
                say(extraction.accept(text));
            } else if (!text.isBlank()) {
                say(new TextPiece(Kind.ANSWER, text));
            }
        }

        @Override
        public void call(CallDelta delta) {
            if (!over) {
                over = true;
                textOver = true;
                say(extraction.finish(true));
                sayLate();
                called = true;
            }
            calls.accept(delta);
        }
    }

    /// Whatever is said now are the reasons; as many as still fit, for the answer is whole without them.
    private final class AfterwardsListener implements Listener {
        private boolean over;

        @Override
        public void reasoning(String text) {
            content(text);
        }

        @Override
        public void content(String text) {
            int tokens = HarmonyTokenizer.shared().countTokens(text) + HEADER_TOKENS;
            over |= said + tokens > request.maxTokens() - HEADER_TOKENS;
            if (!over) {
                speech.say(new TextPiece(Kind.AFTERWARDS, text));
            }
        }

        @Override
        public void call(CallDelta delta) {
            // It was offered none.
        }
    }
}
