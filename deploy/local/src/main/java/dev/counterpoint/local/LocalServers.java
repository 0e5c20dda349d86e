package dev.counterpoint.local;

import dev.counterpoint.engine.chat.probe.ServerQuestions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The servers of models that run on this machine already.
///
/// @param found in the order of the places that were looked at
record LocalServers(List<LocalServer> found) {
    static final LocalServers NONE = new LocalServers(List.of());
    /// All of it, so that nobody waits.
    static final Duration TIME_MAX = Duration.ofSeconds(1);

    /// Where each kind listens by default: vLLM, SGLang, llama-server, LM Studio, Ollama. Any of them may be at any.
    static final List<URI> USUAL = Stream.of(8000, 30_000, 8080, 1234, 11_434)
            .map(port -> URI.create("http://127.0.0.1:" + port))
            .toList();

    /// Whoever listens here is connected to at once, unless this machine is busy.
    private static final int CONNECT_MILLIS = 200;

    LocalServers {
        found = List.copyOf(found);
    }

    /// @param most the time for all of it; what has not answered by then is left out
    static LocalServers look(List<URI> places, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        var listening = places.stream().filter(LocalServers::listens).toList();
        if (listening.isEmpty()) {
            return NONE;
        }
        // Twice at most: the second time after each of Ollama's models.
        try (var questions = new ServerQuestions(null, most.dividedBy(2));
                var asking = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = listening.stream()
                    .<Callable<Optional<LocalServer>>>map(
                            place -> () -> LocalServer.of(place, questions.askOfAll(place)))
                    .toList();
            return new LocalServers(asking.invokeAll(asked, end - System.nanoTime(), TimeUnit.NANOSECONDS).stream()
                    .filter(answer -> answer.state() == Future.State.SUCCESS)
                    .flatMap(answer -> answer.resultNow().stream())
                    .toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NONE;
        }
    }

    private static boolean listens(URI place) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(place.getHost(), place.getPort()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// The server that `--engine auto` takes: one with gpt-oss, those first that take tokens.
    Optional<LocalServer> forAuto() {
        var fit = found.stream().filter(LocalServer::servesGptOss).toList();
        return fit.stream()
                .filter(LocalServer::takesTokens)
                .findFirst()
                .or(() -> fit.stream().findFirst());
    }

    /// What runs at a port of this machine, for people.
    Optional<String> at(int port) {
        return found.stream()
                .filter(server -> server.address().getPort() == port)
                .map(LocalServer::text)
                .findFirst();
    }

    /// What there is and the commands that use it; empty where there is nothing, and where one is used.
    ///
    /// @param options of this run
    /// @param port one that is free, where that of `options` is taken; else that one
    String text(Options options, int port) {
        if (found.isEmpty() || options.engineUrl().isPresent()) {
            return "";
        }
        var text = new StringBuilder("\nModels run on this machine already; the suite takes them with\n");
        var more = port == options.port() ? "" : " --port " + port;
        found.forEach(server -> text.append("\n  ")
                .append(server.text())
                .append("\n    ./deploy/local/up ")
                .append(server.arguments())
                .append(more)
                .append("\n"));
        return text.toString();
    }
}
