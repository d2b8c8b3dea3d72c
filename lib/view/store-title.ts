/** Names of the runtimes as their makers write them. */
const RUNTIMES: { readonly [kind: string]: string } = { openclaw: 'OpenClaw', pi: 'pi' }

/** `OpenClaw · .openclaw`: the runtime and the last part of the path; the whole path stands beside it. */
export function storeTitle(store: { readonly kind: string; readonly root: string }): string {
  const last = store.root.split('/').filter(Boolean).at(-1) ?? store.root
  return `${RUNTIMES[store.kind] ?? store.kind} · ${last}`
}
