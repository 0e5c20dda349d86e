package dev.counterpoint.gateway.turn;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/// A client that leaves while [FakeModels] say nothing yet.
public final class LeavingClient {
    private LeavingClient() {}

    /// Sends the request, and leaves as soon as a model was asked.
    public static void send(HttpRequest request) throws InterruptedException {
        int before = FakeModels.asked();
        try (var http = HttpClient.newHttpClient()) {
            var asking = http.sendAsync(request, BodyHandlers.discarding());
            while (FakeModels.asked() == before) {
                Thread.sleep(5); // the pace of asking again; nothing depends on it
            }
            asking.cancel(true);
            http.shutdownNow();
        }
    }
}
