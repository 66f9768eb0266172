/** The program {@code documents.jar}: start at {@link dev.weir.documents.DocumentsMain}. */
package dev.weir.documents;
