/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Compares a value with an OpenAPI schema, more strictly than an API server: a field that is not in
 * the schema is a complaint. An unsupported keyword is a failure.
 */
final class SchemaCheck {
  private static final Set<String> SAYS_NOTHING =
      Set.of("description", "default", "format", "title", "example", "externalDocs");
  private static final Set<String> LOOKED_AT =
      Set.of(
          "$ref",
          "type",
          "allOf",
          "anyOf",
          "oneOf",
          "enum",
          "pattern",
          "minLength",
          "minimum",
          "maximum",
          "properties",
          "required",
          "additionalProperties",
          "items");
  private static final String FREE_FORM = "x-kubernetes-preserve-unknown-fields";

  private final Map<?, ?> definitions;
  private final List<String> complaints = new ArrayList<>();

  private SchemaCheck(Map<?, ?> definitions) {
    this.definitions = definitions;
  }

  /** Returns how the value differs from the schema; empty if it does not. */
  static List<String> complaints(Map<?, ?> definitions, Map<?, ?> schema, Node value) {
    SchemaCheck check = new SchemaCheck(definitions);
    check.compare(schema, value);
    return check.complaints;
  }

  private void compare(Map<?, ?> schema, Node node) {
    schema.keySet().forEach(keyword -> checkKnown((String) keyword));
    if (schema.containsKey("$ref")) {
      compare(definition((String) schema.get("$ref")), node);
    }
    schemas(schema, "allOf").forEach(part -> compare(part, node));
    compareWithChoice(schema, "anyOf", node);
    compareWithChoice(schema, "oneOf", node);
    if (schema.get("type") instanceof String type && !hasType(type, node.value())) {
      complain(node, "is not of type " + type);
      return;
    }
    compareScalar(schema, node);
    if (node.value() instanceof Map<?, ?> fields) {
      compareFields(schema, fields, node);
    }
    if (node.value() instanceof List<?> members && schema.get("items") instanceof Map<?, ?> items) {
      for (int i = 0; i < members.size(); i++) {
        compare(items, new Node(members.get(i), node.path() + "[" + i + "]"));
      }
    }
  }

  private static void checkKnown(String keyword) {
    boolean isKnown =
        LOOKED_AT.contains(keyword)
            || SAYS_NOTHING.contains(keyword)
            || (keyword.startsWith("x-") && !keyword.equals(FREE_FORM));
    if (!isKnown) {
      throw new AssertionError("SchemaCheck does not know the keyword " + keyword);
    }
  }

  private Map<?, ?> definition(String reference) {
    String name = reference.substring(reference.lastIndexOf('/') + 1);
    return (Map<?, ?>) Objects.requireNonNull(definitions.get(name), reference);
  }

  private static List<Map<?, ?>> schemas(Map<?, ?> schema, String keyword) {
    List<Map<?, ?>> schemas = new ArrayList<>();
    if (schema.get(keyword) instanceof List<?> list) {
      list.forEach(member -> schemas.add((Map<?, ?>) member));
    }
    return schemas;
  }

  private void compareWithChoice(Map<?, ?> schema, String keyword, Node node) {
    List<Map<?, ?>> choices = schemas(schema, keyword);
    boolean fits =
        choices.stream().anyMatch(choice -> complaints(definitions, choice, node).isEmpty());
    if (!choices.isEmpty() && !fits) {
      complain(node, "is none of " + choices);
    }
  }

  private static boolean hasType(String type, Object value) {
    return switch (type) {
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Integer || value instanceof Long;
      case "number" -> value instanceof Number;
      default -> throw new AssertionError("SchemaCheck does not know the type " + type);
    };
  }

  private void compareScalar(Map<?, ?> schema, Node node) {
    if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(node.value())) {
      complain(node, "is none of " + allowed);
    }
    if (node.value() instanceof String text) {
      if (schema.get("pattern") instanceof String pattern
          && !Pattern.compile(pattern).matcher(text).find()) {
        complain(node, "does not match " + pattern);
      }
      if (schema.get("minLength") instanceof Number least && text.length() < least.intValue()) {
        complain(node, "is shorter than " + least);
      }
    }
    if (node.value() instanceof Number number) {
      if (schema.get("minimum") instanceof Number least
          && number.doubleValue() < least.doubleValue()) {
        complain(node, "is less than " + least);
      }
      if (schema.get("maximum") instanceof Number most
          && number.doubleValue() > most.doubleValue()) {
        complain(node, "is more than " + most);
      }
    }
  }

  private void compareFields(Map<?, ?> schema, Map<?, ?> fields, Node node) {
    if (schema.get("required") instanceof List<?> required) {
      required.stream()
          .filter(field -> !fields.containsKey(field))
          .forEach(field -> complain(node, "has no " + field));
    }
    Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> listed ? listed : Map.of();
    fields.forEach(
        (field, value) -> {
          Node place = new Node(value, node.path() + "." + field);
          if (properties.get(field) instanceof Map<?, ?> property) {
            compare(property, place);
          } else if (schema.get("additionalProperties") instanceof Map<?, ?> any) {
            compare(any, place);
          } else if (!properties.isEmpty()) {
            complaints.add(place.path() + ": there is no such field");
          }
        });
  }

  private void complain(Node node, String what) {
    complaints.add(node.path() + ": " + node.value() + " " + what);
  }
}
