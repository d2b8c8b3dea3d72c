/** Options that reading verbs share. */
export type ReadVerbOptions = { readonly json?: boolean; readonly store?: readonly string[] }
