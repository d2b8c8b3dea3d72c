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

type TitledStore = { readonly kind: string; readonly root: string; readonly label?: string }

/**
 * `OpenClaw · .openclaw`: the runtime, or what else its label begins with, and the last part of the path; the whole
 * path is beside it.
 */
export function storeTitle(store: TitledStore): string {
  return `${ownerOf(store)} · ${partsOf(store).at(-1) ?? store.root}`
}

/**
 * Titles of stores that are listed together, by their ids. Where the last part of the path is that of another one too,
 * what differs above it takes its place: `OpenClaw · andre` of `/home/andre/.openclaw`.
 */
export function storeTitles(
  stores: readonly (TitledStore & { readonly id: string })[],
): ReadonlyMap<string, string> {
  const ends = new Map<string, number>()
  for (const store of stores) for (const end of endsOf(store)) ends.set(end, (ends.get(end) ?? 0) + 1)
  return new Map(
    stores.map((store) => {
      const own = endsOf(store).findIndex((end) => ends.get(end) === 1)
      if (own <= 0) return [store.id, storeTitle(store)]
      const parts = partsOf(store)
      return [store.id, `${ownerOf(store)} · ${parts.slice(-1 - own, -1).join('/')}`]
    }),
  )
}

function ownerOf({ kind, label }: TitledStore): string {
  const [named] = label?.split(' · ') ?? []
  return named || runtimeTitle(kind)
}

function partsOf({ root }: TitledStore): string[] {
  return root.split('/').filter(Boolean)
}

/** The path from each part on, the shortest first, with whose it is. */
function endsOf(store: TitledStore): string[] {
  const parts = partsOf(store)
  return parts.map((_, i) => `${ownerOf(store)} ${parts.slice(-1 - i).join('/')}`)
}
