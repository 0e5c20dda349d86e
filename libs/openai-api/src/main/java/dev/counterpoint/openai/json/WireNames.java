package dev.counterpoint.openai.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The tags of a leaf that has more than one. Such a leaf holds its own in a component that is named as the tag is.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WireNames {
    String[] value();
}
