/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

/** Provider of the kinds that a test's {@link EveryKind} selects. */
final class ChosenKinds implements ArgumentsProvider {
  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    EveryKind choice =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), EveryKind.class)
            .orElseThrow();
    List<BufferKind> chosen =
        Arrays.stream(BufferKind.values()).filter(kind -> isChosen(kind, choice)).toList();
    assertThat(chosen).isNotEmpty();
    return chosen.stream().map(Arguments::of);
  }

  private static boolean isChosen(BufferKind kind, EveryKind choice) {
    return (choice.readsOnly() || !kind.is(BufferKind.Trait.READ_ONLY))
        && Arrays.stream(choice.without()).noneMatch(kind::is)
        && Arrays.stream(choice.with()).allMatch(kind::is);
  }
}
