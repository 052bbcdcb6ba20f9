package io.runstone;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.time.Instant;
import org.jspecify.annotations.NullMarked;

/** The dependency rules of docs/architecture.md, as a test. */
@AnalyzeClasses(packages = "io.runstone", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "io.runstone";

  /** A rule over nothing passes; this keeps the other rules from being empty. */
  @ArchTest
  static void seesTheProduct(JavaClasses classes) {
    assertThat(classes.contain("io.runstone.kernel.ExecutionResult")).isTrue();
  }

  @ArchTest
  static final ArchRule layers =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("app")
          .definedBy(ROOT + ".app..")
          .layer("boundary")
          .definedBy(ROOT + ".mcp..", ROOT + ".rest..", ROOT + ".console..", ROOT + ".admin..")
          .layer("adapter")
          .definedBy(ROOT + ".cluster..")
          .layer("application")
          .definedBy(
              ROOT + ".session..",
              ROOT + ".workspace..",
              ROOT + ".skill..",
              ROOT + ".browser..",
              ROOT + ".upstream..")
          .layer("kernel")
          .definedBy(ROOT + ".kernel..")
          .layer("sandbox")
          .definedBy(ROOT + ".sandbox..")
          .layer("base")
          .definedBy(
              ROOT + ".http..", ROOT + ".security..", ROOT + ".config..", ROOT + ".concurrent..")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("boundary")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("adapter")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("application")
          .mayOnlyBeAccessedByLayers("app", "boundary", "adapter")
          .whereLayer("kernel")
          .mayOnlyBeAccessedByLayers("app", "boundary", "adapter", "application")
          .whereLayer("sandbox")
          .mayOnlyBeAccessedByLayers("app", "application", "kernel");

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule boundariesDoNotMeet =
      slices()
          .matching(ROOT + ".(mcp|rest|console|admin)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule coreIsFreeOfTheServer =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..session..",
              "..workspace..",
              "..kernel..",
              "..sandbox..",
              "..upstream..",
              "..skill..",
              "..browser..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "jakarta.servlet..", "jakarta.ws.rs..", "org.glassfish..", "fish.payara..");

  /** The session manager is the one EJB below the boundaries. */
  @ArchTest
  static final ArchRule ejbsManageSessions =
      noClasses()
          .that()
          .resideOutsideOfPackages("..app..", "..session..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.ejb..");

  @ArchTest
  static final ArchRule onlySandboxStartsProcesses =
      noClasses()
          .that()
          .resideOutsideOfPackage("..sandbox..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.ProcessBuilder")
          .orShould()
          .callMethod(Runtime.class, "exec", String[].class)
          .orShould()
          .callMethod(Runtime.class, "exec", String.class);

  @ArchTest
  static final ArchRule onlyClusterKnowsHazelcast =
      noClasses()
          .that()
          .resideOutsideOfPackage("..cluster..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.hazelcast..");

  @ArchTest
  static final ArchRule onlyAdminKnowsJmx =
      noClasses()
          .that()
          .resideOutsideOfPackage("..admin..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("javax.management..");

  @ArchTest
  static final ArchRule onlyConfigReadsTheEnvironment =
      noClasses()
          .that()
          .resideOutsideOfPackage("..config..")
          .should()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.microprofile.config..");

  @ArchTest
  static final ArchRule timeComesFromAClock =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule threadsComeFromConcurrent =
      noClasses()
          .that()
          .resideOutsideOfPackage("..concurrent..")
          .should()
          .callConstructorWhere(
              com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                  com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                      com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(
                          Thread.class))))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.concurrent.Executors");

  @ArchTest
  static final ArchRule resourcesLiveInRest =
      classes()
          .that()
          .haveSimpleNameEndingWith("Resource")
          .and()
          .areAnnotatedWith("jakarta.ws.rs.Path")
          .should()
          .resideInAPackage("..rest..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule wireTypesAreClosed =
      classes()
          .that(resideInAnyPackage("..mcp.model..", "..kernel.message.."))
          .should()
          .beRecords()
          .orShould()
          .beEnums()
          .orShould()
          .beInterfaces()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule noMutableStatics =
      fields().that().areStatic().should().beFinal().allowEmptyShould(true);

  @ArchTest
  static final ArchRule noStandardStreams =
      GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

  @ArchTest
  static final ArchRule noGenericExceptions =
      GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;

  @ArchTest
  static final ArchRule noJulDirectly = GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

  @ArchTest
  static void packagesAreNullMarked(JavaClasses classes) {
    assertThat(classes.getPackage(ROOT).getSubpackagesInTree())
        .filteredOn(p -> !p.getClasses().isEmpty())
        .allMatch(p -> p.isAnnotatedWith(NullMarked.class), "is @NullMarked")
        .extracting(JavaPackage::getName)
        .isNotEmpty();
  }
}
