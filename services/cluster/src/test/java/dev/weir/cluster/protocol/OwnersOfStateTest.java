package dev.weir.cluster.protocol;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each piece of the protocol's state has one owner, and its decisions have one way out. */
class OwnersOfStateTest {
  private static final String PACKAGE = "dev.weir.cluster.protocol";

  /** Classes that decide, and tell their decision by what they return. */
  private static final Set<String> RULES =
      Set.of("Candidacy", "VotePolicy", "PreferredLeader", "Election", "Following", "InSyncSet");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(PACKAGE);

  @Test
  void onlyTheOwnerOfAFieldReadsOrChangesIt() {
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(PACKAGE)
        .and()
        .areNotFinal()
        .should()
        .bePrivate()
        .check(CLASSES);
  }

  @Test
  void decisionsGoOutThroughTheTransitionsAndTheOutboxOnly() {
    noClasses()
        .that(
            describe(
                "neither change roles nor send",
                type -> !Set.of("RoleTransitions", "Outbox").contains(type.getSimpleName())))
        .should()
        .callMethodWhere(
            describe(
                "the target is an effect",
                call -> call.getTargetOwner().isEquivalentTo(ProtocolEffects.class)))
        .check(CLASSES);
  }

  @Test
  void aRuleChangesNoStateButItsOwn() {
    noClasses()
        .that(describe("are rules", type -> RULES.contains(type.getSimpleName())))
        .should()
        .callMethodWhere(
            describe("the target changes another class", OwnersOfStateTest::changesAnother))
        .check(CLASSES);
  }

  private static boolean changesAnother(JavaCall<?> call) {
    return call.getTargetOwner().getPackageName().equals(PACKAGE)
        && !call.getTargetOwner().equals(call.getOriginOwner())
        && call.getTarget().getRawReturnType().isEquivalentTo(void.class);
  }
}
