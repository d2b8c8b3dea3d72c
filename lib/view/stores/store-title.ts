/** Names of the runtimes as their makers write them. */
const RUNTIMES: { readonly [kind: string]: string } = {
  openclaw: 'OpenClaw',
  pi: 'pi',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
}

/** A runtime's name as its makers write it. */
export function runtimeTitle(kind: string): string {
  return RUNTIMES[kind] ?? kind
}

/**
 * `OpenClaw · .openclaw`: the runtime, or what else its label begins with, and the last part of the path; the whole
 * path is beside it.
 */
export function storeTitle(store: {
  readonly kind: string
  readonly root: string
  readonly label?: string
}): string {
  const last = store.root.split('/').filter(Boolean).at(-1) ?? store.root
  const [named] = store.label?.split(' · ') ?? []
  return `${named || runtimeTitle(store.kind)} · ${last}`
}
