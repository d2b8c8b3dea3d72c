/** Options that reading verbs share. */
export type ReadOptions = { readonly json?: boolean; readonly store?: readonly string[] }
