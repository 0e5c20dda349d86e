/// Kafka and PostgreSQL for tests, goldens, and the generated configuration reference.
@NullMarked
package dev.counterpoint.testkit;

import org.jspecify.annotations.NullMarked;
