package dev.weir.gateway;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate of a name with its key, as PEM. */
record TestCertificate(String certificate, String key) {
  private static final char[] PASSWORD = "password".toCharArray();

  static TestCertificate of(String name, Path directory) throws Exception {
    Path store = directory.resolve(name + ".p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "a",
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes());
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IllegalStateException("keytool failed: " + output);
    }
    return read(store);
  }

  private static TestCertificate read(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new TestCertificate(
        pem("CERTIFICATE", keys.getCertificate("a").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("a", PASSWORD).getEncoded()));
  }

  private static String pem(String type, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }

  void write(TlsOptions options) throws Exception {
    Files.writeString(Path.of(options.getCertificateFile()), certificate);
    Files.writeString(Path.of(options.getKeyFile()), key);
  }
}
