package dev.counterpoint.bench;

import dev.counterpoint.bench.LoadTarget.Api;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A gateway of others, as its own documents start it, one process where that is asked for.
///
/// @param program must be there, or the gateway is left out
record OtherGateway(String name, Path program, List<String> command, LoadTarget target) {
    private static final String NGINX = """
            daemon off;
            worker_processes 1;
            worker_rlimit_nofile 16384;
            pid %s/nginx.pid;
            error_log stderr;
            events { worker_connections 8192; }
            http {
              access_log off;
              client_body_temp_path %<s/body;
              proxy_temp_path %<s/proxy;
              fastcgi_temp_path %<s/fastcgi;
              uwsgi_temp_path %<s/uwsgi;
              scgi_temp_path %<s/scgi;
              keepalive_requests 1000000;
              upstream bench { server 127.0.0.1:%d; keepalive 1024; keepalive_requests 1000000; }
              server {
                listen 127.0.0.1:%d backlog=4096;
                location / {
                  proxy_pass http://bench;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_buffering off;
                }
              }
            }
            """;
    private static final String LITELLM = """
            model_list:
              - model_name: bench
                litellm_params: { model: openai/bench, api_base: "http://127.0.0.1:%d/v1", api_key: none }
            general_settings: { master_key: "%s" }
            """;

    /// All that we know, installed or not.
    ///
    /// @param installed the folder where `deploy/perf/peers` installs
    static List<OtherGateway> all(Path installed, int upstream, Path folder, boolean peers) {
        var nginx = nginx(peers ? installed : Path.of("/"), upstream, folder);
        return peers
                ? List.of(
                        nginx,
                        smg(installed, upstream),
                        litellm(installed, upstream, folder),
                        portkey(installed, upstream))
                : List.of(nginx);
    }

    private static OtherGateway nginx(Path installed, int upstream, Path folder) {
        int port = StartedProgram.freePort();
        var program = first(Path.of("/usr/sbin/nginx"), installed.resolve("nginx/usr/sbin/nginx"));
        var config = write(folder.resolve("nginx.conf"), NGINX.formatted(folder, upstream, port));
        return of("nginx", program, List.of(program.toString(), "-p", folder.toString(), "-c", config), port);
    }

    private static OtherGateway smg(Path installed, int upstream) {
        int port = StartedProgram.freePort();
        var program = installed.resolve("venv/bin/smg");
        var command = List.of(
                program.toString(),
                "launch",
                "--worker-urls",
                "http://127.0.0.1:" + upstream,
                "--backend",
                "openai",
                "--history-backend",
                "none",
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port));
        return of("smg", program, command, port);
    }

    private static OtherGateway litellm(Path installed, int upstream, Path folder) {
        int port = StartedProgram.freePort();
        var program = installed.resolve("venv/bin/litellm");
        var key = "sk-" + UUID.randomUUID(); // without one it does not start
        var config = write(folder.resolve("litellm.yaml"), LITELLM.formatted(upstream, key));
        var command = List.of(
                program.toString(), "--config", config, "--host", "127.0.0.1", "--port", Integer.toString(port));
        var uri = URI.create("http://127.0.0.1:" + port + "/v1");
        var headers = Map.of("Authorization", "Bearer " + key);
        return new OtherGateway("litellm", program, command, new LoadTarget("litellm", uri, Api.CHAT, headers));
    }

    private static OtherGateway portkey(Path installed, int upstream) {
        int port = StartedProgram.freePort();
        var program = installed.resolve("portkey/node_modules/.bin/gateway");
        var uri = URI.create("http://127.0.0.1:" + port + "/v1");
        var headers = Map.of(
                "x-portkey-provider", "openai",
                "x-portkey-custom-host", "http://127.0.0.1:" + upstream + "/v1",
                "Authorization", "Bearer none");
        return new OtherGateway(
                "portkey",
                program,
                List.of("node", program.toString(), "--headless", "--port=" + port),
                new LoadTarget("portkey", uri, Api.CHAT, headers));
    }

    private static OtherGateway of(String name, Path program, List<String> command, int port) {
        var uri = URI.create("http://127.0.0.1:" + port + "/v1");
        return new OtherGateway(
                name, program, command, new LoadTarget(name, uri, Api.CHAT, Map.of("Authorization", "Bearer none")));
    }

    private static Path first(Path... places) {
        return List.of(places).stream().filter(Files::exists).findFirst().orElse(places[places.length - 1]);
    }

    private static String write(Path file, String text) {
        try {
            return Files.writeString(file, text).toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    boolean isInstalled() {
        return Files.exists(program);
    }

    StartedProgram start(Path folder) {
        return StartedProgram.start(name, command, Map.of(), folder);
    }
}
