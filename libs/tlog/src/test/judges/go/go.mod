module counterpoint.dev/tlogjudge

go 1.24

require golang.org/x/mod v0.24.0
