package dev.weir.processor;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(
            ProcessorMain.class,
            RunCommand.class,
            DriveCommand.class,
            ForcePrimaryCommand.class,
            ControlCommands.class,
            ControlSocket.class,
            GroupControl.class,
            GroupArguments.class,
            MemberArguments.class,
            DeclaredFlags.class,
            NodeArguments.class,
            HttpArguments.class,
            HttpFront.class,
            CarService.class,
            CarProcessor.class,
            CarStateProcessor.class,
            CarRequests.class,
            Encoding.class)
        .layer("codec")
        .layer("car")
        .check();
  }
}
