package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.engine.chat.ChatEvent.Finish;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.split.Extraction;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.engine.http.EventStream;
import dev.counterpoint.engine.http.PromptPrefix;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes one output: asks for a report of the reasoning, where the model gives one; asks for the
/// answer; asks for the reasons, where there were none.
///
/// Asks on one thread; an interrupt ends every wait in it, and with it the connection. A request is
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
    private final ChatSpeech speech;
    private int said;
    private boolean full;

    /// @param known what is known of the model, for the whole job
    ChatRun(UpstreamClient servers, ChatOptions options, KnownModel known, GenerationRequest request) {
        this.servers = servers;
        this.options = options;
        this.request = request;
        wanted = ChatTask.of(request.requireJob(), known, options.reasoning());
        body = new ChatRequestBody(options.upstreamModel(), wanted);
        said = request.prefix().length;
        speech = new ChatSpeech(request.prefix(), HarmonyWriter.names(wanted.job()));
    }

    /// @return why the output ended
    StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException {
        var messages = UpstreamMessages.of(wanted);
        boolean reported = false;
        if (wanted.reports()) {
            var listener = new ReportListener();
            var finish = askForReport(messages, listener, reader);
            var report = EnvelopeStage.values(listener.arguments.toString());
            reported = !report.isEmpty();
            if (reported) {
                speech.say(new TextPiece(Kind.REASONING, report));
                push(reader);
                reader.flush();
                messages.addAll(UpstreamMessages.reported(report));
            }
            if (full || finish == Finish.LENGTH) {
                return StopReason.LENGTH;
            }
        }
        var listener = new AnswerListener(reported);
        var finish = ask(body.of(messages, false, maxTokens()), listener, reader);
        listener.end(finish == Finish.DONE);
        speech.finish();
        push(reader);
        if (full || finish == Finish.LENGTH) {
            return StopReason.LENGTH;
        }
        if (finish == Finish.FILTERED) {
            return StopReason.WITHHELD;
        }
        if (wanted.asksAfterwards() && speech.lacksReasons()) {
            askAfterwards(reader);
        }
        speech.end();
        push(reader);
        return full ? StopReason.LENGTH : StopReason.STOP_TOKEN;
    }

    /// A server that refuses the forced call may take the question without it.
    private Finish askForReport(ArrayNode messages, Listener report, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        reader.prompted(UpstreamMessages.tokens(messages));
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
            var question = body.afterwards(speech.answer());
            reader.prompted(UpstreamMessages.tokens(question.path("messages")));
            ask(question, listener, reader);
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
        return servers.listen(PromptPrefix.of(request), () -> !listener.touched, server -> {
            long opened =
                    System.nanoTime() + options.access().timeouts().firstToken().toNanos();
            var call = new UpstreamClient.Call(PATH, question);
            return reader.ask(server, call, opened, new Answer(server, listener, reader));
        });
    }

    private void push(StreamedGeneration reader) {
        int[] tokens = speech.take();
        int room = request.maxTokens() - said;
        full |= tokens.length > room;
        int fitting = Math.min(tokens.length, Math.max(0, room));
        said += fitting;
        reader.say(Arrays.stream(tokens, 0, fitting)
                .mapToObj(token -> new Step.Token(token, null))
                .toList());
    }

    /// The answer of one server.
    private final class Answer implements EventStream.Listener<Finish> {
        private final UpstreamServer server;
        private final Listener listener;
        private final StreamedGeneration reader;
        private volatile boolean finished;
        private volatile long speechlessAtNanos = System.nanoTime() + SPEECHLESS_NANOS_MAX;

        Answer(UpstreamServer server, Listener listener, StreamedGeneration reader) {
            this.server = server;
            this.listener = listener;
            this.reader = reader;
        }

        @Override
        public @Nullable Finish hear(@Nullable String data) throws ServerFailure {
            if (data == null && !listener.touched) {
                throw ServerFailure.broken("the stream ended before the output did");
            } else if (data == null) {
                return Finish.DONE;
            }
            var event = ChatEvent.read(data);
            finished = event.finish() != Finish.NONE;
            listener.hear(event);
            if (!event.isEmpty()) {
                server.succeeded();
                reader.speaks();
                speechlessAtNanos = System.nanoTime() + SPEECHLESS_NANOS_MAX;
            }
            push(reader);
            if (full) {
                return Finish.LENGTH;
            }
            if (event.finish() == Finish.BROKEN) {
                throw ServerFailure.broken("the server broke the output off");
            }
            return finished ? event.finish() : null;
        }

        @Override
        public long lateAtNanos(long heardNanos) {
            var timeouts = options.access().timeouts();
            var patience = listener.touched ? timeouts.idle() : timeouts.firstToken();
            return Math.min(heardNanos + patience.toNanos(), speechlessAtNanos);
        }

        @Override
        public boolean hasAll() {
            return finished;
        }
    }

    /// Hears one answer of a server.
    private abstract class Listener {
        private volatile boolean touched;
        private boolean deltas;
        private long characters;

        abstract void reasoning(String text);

        abstract void content(String text);

        /// The server separates reasoning, maybe such that only it can read.
        void separates() {
            // That matters to the answer only.
        }

        void call(CallDelta delta) {
            // Calls are part of the answer only.
        }

        private void hear(ChatEvent event) throws ServerFailure {
            if (deltas && event.whole()) {
                return; // it repeats what they said
            }
            deltas |= !event.whole() && !event.isEmpty();
            characters += event.characters();
            if (characters > (long) CHARACTERS_PER_TOKEN_MAX * options.contextLength()) {
                throw ServerFailure.wrong("the server says more than its context holds");
            }
            touched |= !event.isEmpty();
            if (event.sealedReasoning()) {
                separates();
            }
            if (!event.reasoning().isEmpty()) {
                reasoning(event.reasoning());
            }
            if (!event.content().isEmpty()) {
                content(event.content());
            }
            event.calls().forEach(this::call);
        }
    }

    /// The request for a report brings reasoning only, also where the arguments of the call are no JSON.
    private final class ReportListener extends Listener {
        private final StringBuilder arguments = new StringBuilder();

        @Override
        void reasoning(String text) {
            speech.say(new TextPiece(Kind.REASONING, text));
        }

        @Override
        void content(String text) {
            reasoning(text);
        }

        @Override
        void call(CallDelta delta) {
            arguments.append(delta.arguments());
        }
    }

    private final class AnswerListener extends Listener {
        private final boolean reported;
        private Extraction extraction;
        /// A call has begun, so the text is over.
        private boolean over;
        private boolean separates;
        private boolean spoke;
        /// Of the server's own reasoning; null as long as there is none.
        private @Nullable Kind separated;

        private AnswerListener(boolean reported) {
            this.reported = reported;
            extraction = wanted.extraction(reported, speech::say);
        }

        @Override
        void reasoning(String text) {
            if (separated == null && !text.isBlank()) {
                separated = speech.answer().isBlank() ? Kind.REASONING : Kind.LATE;
            }
            separates();
            speech.say(new TextPiece(separated == null ? Kind.REASONING : separated, text));
        }

        @Override
        void separates() {
            separates = true;
            if (!over) {
                extraction.decide();
            }
        }

        @Override
        void content(String text) {
            spoke |= !text.isBlank();
            if (over && !text.isBlank() && !extraction.isOver()) {
                // Text after a call is one of its own.
                over = false;
                extraction = wanted.extraction(reported, speech::say);
                if (separates) {
                    extraction.decide();
                }
            }
            if (!over) {
                extraction.accept(text);
            } else if (!text.isBlank()) {
                speech.say(new TextPiece(Kind.UNTOLD, text));
            }
        }

        @Override
        void call(CallDelta delta) {
            finish(true);
            speech.call(delta);
        }

        private void finish(boolean whole) {
            if (!over) {
                over = true;
                extraction.finish(whole);
            }
        }

        /// A text without an answer does not end in silence.
        private void end(boolean whole) {
            finish(whole);
            if (spoke && speech.isSilent()) {
                speech.say(new TextPiece(Kind.UNTOLD, ""));
            }
        }
    }

    /// Whatever is said now are the reasons; as many as still fit, for the answer is whole without them.
    private final class AfterwardsListener extends Listener {
        private boolean over;

        @Override
        void reasoning(String text) {
            content(text);
        }

        @Override
        void content(String text) {
            int tokens = HarmonyTokenizer.shared().countTokens(text) + HEADER_TOKENS;
            over |= said + tokens > request.maxTokens() - HEADER_TOKENS;
            if (!over) {
                speech.say(new TextPiece(Kind.AFTERWARDS, text));
            }
        }
    }
}
