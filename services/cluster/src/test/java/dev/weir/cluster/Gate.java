package dev.weir.cluster;

import dev.weir.cluster.log.TransactionLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Has something done before some calls of a log. */
public final class Gate {
  private Gate() {}

  public static TransactionLog before(TransactionLog log, Set<String> methods, Runnable task) {
    return (TransactionLog)
        Proxy.newProxyInstance(
            Gate.class.getClassLoader(),
            new Class<?>[] {TransactionLog.class},
            (proxy, method, arguments) -> {
              if (methods.contains(method.getName())) {
                task.run();
              }
              try {
                return method.invoke(log, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
