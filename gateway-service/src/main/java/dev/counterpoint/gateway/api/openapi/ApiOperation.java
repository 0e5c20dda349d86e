package dev.counterpoint.gateway.api.openapi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What a method of a resource takes and gives, for the OpenAPI document: the method itself handles bytes, because the
/// wire's JSON is read and written by our own rules.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ApiOperation {
    /// One sentence for people.
    String value();

    /// The wire type of the body; [Void] for none.
    Class<?> takes() default Void.class;

    /// The wire type of the answer; [Void] for any JSON.
    Class<?> gives() default Void.class;

    /// The wire type of a stream's events; [Void] when it never streams.
    Class<?> streams() default Void.class;

    /// True when the method honours an `Idempotency-Key`.
    boolean once() default false;
}
