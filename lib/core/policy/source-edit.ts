/** A value to set in a file; `path` are keys as they are in the file. */
export type SourceEdit = { readonly path: readonly string[]; readonly value: unknown }
