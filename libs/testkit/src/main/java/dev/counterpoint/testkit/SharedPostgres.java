package dev.counterpoint.testkit;

/// The server of the whole JVM, which no single test may disturb.
record SharedPostgres(Database main) implements TestPostgres {

    static String address(TestPostgres server) {
        return server.jdbcUrl() + " " + server.user() + " " + server.password();
    }

    static SharedPostgres of(String address) {
        String[] parts = address.split(" ");
        return new SharedPostgres(new Database(parts[0], parts[1], parts[2]));
    }

    @Override
    public void stop() {
        throw refused();
    }

    @Override
    public void kill() {
        throw refused();
    }

    @Override
    public void restart() {
        throw refused();
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("others use the shared server: TestPostgres.start() gives one's own");
    }

    @Override
    public void close() {
        // It ends with the JVM.
    }
}
