/** The program {@code echo.jar}: start at {@link dev.weir.echo.EchoMain}. */
package dev.weir.echo;
