/** A server action that reads stores, as pages hand it to components. */
export type ReadAction = () => Promise<{ readonly ok: boolean; readonly message: string }>
