package dev.counterpoint.bus.wire;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The messages of `bus.proto`, as `protoc` describes them: a second reader and writer beside the records.
public final class Proto {
    private static final FileDescriptor FILE = file();

    private Proto() {}

    /// @param message name in `bus.proto`
    public static DynamicMessage parse(String message, byte[] bytes) {
        try {
            return DynamicMessage.parseFrom(descriptor(message), bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Descriptor descriptor(String message) {
        return Objects.requireNonNull(FILE.findMessageTypeByName(message), message);
    }

    /// A message and all that are nested in it.
    static Stream<Message> withNested(Message message) {
        var nested = message.getAllFields().entrySet().stream()
                .filter(field -> field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .flatMap(
                        field -> field.getValue() instanceof List<?> many ? many.stream() : Stream.of(field.getValue()))
                .flatMap(inner -> withNested((Message) inner));
        return Stream.concat(Stream.of(message), nested);
    }

    /// The fields of a message and of all that can be nested in it, by their full names.
    static Stream<String> fields(String message) {
        return withInner(descriptor(message))
                .flatMap(type -> type.getFields().stream())
                .map(FieldDescriptor::getFullName);
    }

    /// The numbers of an enum by the names of its constants, without the one that is never written.
    static Map<String, Integer> constants(String type) {
        var prefix = type.replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(Locale.ROOT) + "_";
        return Objects.requireNonNull(FILE.findEnumTypeByName(type), type).getValues().stream()
                .filter(value -> !value.getName().endsWith("_UNSPECIFIED"))
                .collect(Collectors.toMap(
                        value -> value.getName().substring(prefix.length()), EnumValueDescriptor::getNumber));
    }

    private static Stream<Descriptor> withInner(Descriptor type) {
        return Stream.concat(Stream.of(type), type.getNestedTypes().stream().flatMap(Proto::withInner));
    }

    private static FileDescriptor file() {
        try (var in = Proto.class.getResourceAsStream("/bus.protobin")) {
            var set = FileDescriptorSet.parseFrom(Objects.requireNonNull(in));
            return FileDescriptor.buildFrom(set.getFile(0), new FileDescriptor[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }
}
