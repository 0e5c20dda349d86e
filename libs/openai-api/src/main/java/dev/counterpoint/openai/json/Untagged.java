package dev.counterpoint.openai.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks the leaf of a tagged family that an object without tag is read as, when it has the named member.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Untagged {
    /// The member that gives the leaf away, in wire spelling.
    String member();

    /// Whether the object may have none of the members of the other leaves besides.
    boolean alone() default false;
}
