/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.generate;

import dev.cistern.buffer.AbstractByteBuf;
import dev.cistern.buffer.ByteBuf;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A class that overrides methods of {@link ByteBuf}, as source text in google-java-format. */
final class SourceWriter {
  private static final int MOST_COLUMNS = 100;
  private static final String HOUSE = "dev.cistern.";

  private final StringBuilder body = new StringBuilder();
  private final Set<String> imports = new TreeSet<>();
  private final String home;

  /** A class of package {@code buffer}. */
  SourceWriter() {
    this("buffer");
  }

  /**
   * @param home the last part of the package's name
   */
  SourceWriter(String home) {
    this.home = HOUSE + home;
  }

  /** All that a subclass can override, in an order that does not change. */
  static List<Method> methods() {
    return Arrays.stream(ByteBuf.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !Modifier.isFinal(method.getModifiers()))
        .filter(method -> !method.isBridge() && method.getDeclaringClass() != Object.class)
        .sorted(Comparator.comparing(SourceWriter::key))
        .toList();
  }

  /** The accesses to numbers that a subclass of {@link AbstractByteBuf} has to make. */
  static List<Method> numbers() {
    return Stream.<Class<?>>iterate(
            AbstractByteBuf.class, type -> type != ByteBuf.class, Class::getSuperclass)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.getName().matches("_(get|set).*"))
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .sorted(Comparator.comparing(SourceWriter::key))
        .toList();
  }

  private static String parameters(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(","));
  }

  /** Its name and the types of its parameters, with a blank between. */
  static String key(Method method) {
    return (method.getName() + " " + parameters(method)).strip();
  }

  /** {@code name(first, second)}. */
  static String call(Method method) {
    return Arrays.stream(method.getParameters())
        .map(Parameter::getName)
        .collect(Collectors.joining(", ", method.getName() + "(", ")"));
  }

  /** Whether it returns the buffer that it is called on. */
  static boolean returnsItself(Method method) {
    return method.getReturnType() == ByteBuf.class
        && !isView(method)
        && !isCopy(method)
        && !method.getName().matches("unwrap|asByteBuf");
  }

  /** Whether it returns another buffer over the same bytes. */
  static boolean isView(Method method) {
    return method.getName().matches("asReadOnly|(r|readR)etained.*|readSlice|slice|duplicate")
        || (method.getName().equals("order") && method.getParameterCount() == 1);
  }

  /** Whether it returns another buffer with bytes of its own. */
  static boolean isCopy(Method method) {
    return method.getReturnType() == ByteBuf.class
        && (method.getName().equals("copy")
            || (method.getName().equals("readBytes")
                && List.of(method.getParameterTypes()).equals(List.of(int.class))));
  }

  /** Imports a class that the text names beside those of the methods' signatures. */
  void use(String className) {
    imports.add(className);
  }

  /** Adds a method without a body, named as another one but for a prefix. */
  void declare(String documentation, String typed, String prefix, Method method) {
    body.append("\n  /** ").append(documentation).append(" */\n  ").append(typed).append(' ');
    body.append(
        Arrays.stream(method.getParameters())
            .map(this::parameter)
            .collect(Collectors.joining(", ", prefix + method.getName() + "(", ");\n")));
  }

  /** Adds a method with a comment of one line or of several. */
  void method(String documentation, String signature, String... statements) {
    boolean isShort = documentation.indexOf('\n') < 0;
    body.append(isShort ? "\n  /** " + documentation + " */\n" : "\n  /**\n");
    if (!isShort) {
      documentation
          .lines()
          .forEach(line -> body.append(("   * " + line).stripTrailing()).append('\n'));
      body.append("   */\n");
    }
    body.append("  ").append(signature).append(" {\n");
    append(statements);
  }

  /** Adds a method of an interface, which has that as its parameters. */
  void implement(Method method, String parameters, String... statements) {
    String type = type(method.getReturnType());
    body.append("\n  @Override\n  public ").append(type).append(' ').append(method.getName());
    String thrown = thrown(method);
    body.append(parameters).append(thrown.isEmpty() ? "" : " throws " + thrown).append(" {\n");
    append(statements);
  }

  private String thrown(Method method) {
    return Arrays.stream(method.getExceptionTypes())
        .map(this::type)
        .collect(Collectors.joining(", "));
  }

  private void append(String... statements) {
    for (String statement : statements) {
      if (!statement.isEmpty()) {
        body.append("    ").append(statement).append('\n');
      }
    }
    body.append("  }\n");
  }

  /** Adds an override with those statements. */
  void override(Method method, String returnType, String... statements) {
    String access = Modifier.isProtected(method.getModifiers()) ? "  protected " : "  public ";
    String signature =
        Arrays.stream(method.getParameters())
            .map(this::parameter)
            .collect(
                Collectors.joining(", ", access + returnType + " " + method.getName() + "(", ")"));
    String thrown = thrown(method);
    body.append("\n  @Override\n").append(signature);
    if (!thrown.isEmpty()) {
      boolean fits = signature.length() + thrown.length() + " throws  {".length() <= MOST_COLUMNS;
      body.append(fits ? " " : "\n      ").append("throws ").append(thrown);
    }
    body.append(" {\n");
    append(statements);
  }

  private String parameter(Parameter parameter) {
    return nullable(parameter.getAnnotatedType())
        + type(parameter.getType())
        + " "
        + parameter.getName();
  }

  /** What stands before a type that may be null. */
  private String nullable(AnnotatedType type) {
    if (!type.isAnnotationPresent(Nullable.class)) {
      return "";
    }
    imports.add(Nullable.class.getName());
    return "@Nullable ";
  }

  /** What a method returns, as it is written in source. */
  String returned(Method method) {
    return nullable(method.getAnnotatedReturnType()) + type(method.getReturnType());
  }

  private String type(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    String itsHome = element.getPackageName();
    if (!element.isPrimitive() && !itsHome.equals("java.lang") && !itsHome.equals(home)) {
      imports.add(element.getName());
    }
    return type.getSimpleName();
  }

  /**
   * All of it.
   *
   * @param documentation the class's Javadoc, with the stars
   * @param declaration of the class, and what it has beside the overrides
   */
  String source(String documentation, String declaration) {
    return "/* Copyright 2026 The Cistern Authors\nSPDX-License-Identifier: Apache-2.0 */\n\npackage "
        + home
        + ";\n\n"
        + imports.stream()
            .map(name -> "import " + name + ";\n")
            .collect(Collectors.joining("", "", imports.isEmpty() ? "" : "\n"))
        + documentation
        + declaration
        + body
        + "}\n";
  }
}
