package dev.counterpoint.openai;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/// An unmodifiable list that makes its elements whenever they are asked for, so that what they are made of
/// is all that is held. For long lists that are written once, as log probabilities are. Thread-safe.
///
/// @param <E> the elements
public abstract class LazyList<E> extends AbstractList<E> implements RandomAccess {
    /// The list itself where it is lazy, so that nobody's copy holds all elements; else an unmodifiable
    /// copy.
    public static <E> List<E> copyOf(List<E> list) {
        return list instanceof LazyList<E> ? list : List.copyOf(list);
    }

    /// The elements of a list in another form; lazy where that list is, at once where not.
    public static <E, R> List<R> map(List<E> list, Function<? super E, ? extends R> form) {
        return list instanceof LazyList<E>
                ? new Mapped<>(list, form)
                : List.copyOf(list.stream().map(form).toList());
    }

    private static final class Mapped<E, R> extends LazyList<R> {
        private final List<E> list;
        private final Function<? super E, ? extends R> form;

        Mapped(List<E> list, Function<? super E, ? extends R> form) {
            this.list = list;
            this.form = form;
        }

        @Override
        public R get(int index) {
            return form.apply(list.get(index));
        }

        @Override
        public int size() {
            return list.size();
        }
    }
}
