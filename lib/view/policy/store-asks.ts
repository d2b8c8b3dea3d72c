import { stringify } from 'yaml'
import type { StoreAsk } from '../../core/policy/store-asks'
import type { Endpoint, Wish } from '../../core/policy/store-grants'
import { maskSecrets } from '../../core/redaction/secrets'

/** A store that asks for what the operator decides, in words. */
export type StoreAsksView = {
  readonly path: string
  readonly asks: readonly {
    /** `This store asks for summaries by ollama/m at http://…` */
    readonly text: string
    /** File and line. */
    readonly where: string
    readonly allowed: boolean
  }[]
  /** What the operator adds to the settings to allow what is not allowed yet; '' when all is. */
  readonly lines: string
}

/** All that stores ask for, and the settings file that would allow it. */
export type StoreAsksShown = { readonly stores: readonly StoreAsksView[]; readonly settingsFile: string }

/** The words for what a store asks for; credentials in them, and in the names of its files, are covered. */
export function storeAsksView({
  path,
  asks,
}: {
  readonly path: string
  readonly asks: readonly StoreAsk[]
}): StoreAsksView {
  return {
    path: maskSecrets(path),
    asks: asks.map(({ wish, label, line, allowed }) => ({
      text: maskSecrets(askText(wish)),
      // Without the line: behind a name like `token`, a number would count as a credential.
      where: line === null ? maskSecrets(label) : `${maskSecrets(label)}:${line}`,
      allowed,
    })),
    // A credential in an address or a path stays covered; to allow that, write it by hand.
    lines: maskSecrets(
      allowLines(
        path,
        asks.filter(({ allowed }) => !allowed).map(({ wish }) => wish),
      ),
    ),
  }
}

/** What a store asks for, as a sentence without its full stop. */
export function askText(wish: Wish): string {
  switch (wish.kind) {
    case 'summarizer':
      return `This store asks for summaries ${endpointWords(wish.endpoint)}`
    case 'embedder':
      return `This store asks for a comparison of texts ${endpointWords(wish.endpoint)}`
    case 'sessionModel':
      return 'This store asks that the model of a session may write its summaries'
    default:
      return `This store names ${wish.folder} ${FOLDERS[wish.kind]}`
  }
}

const FOLDERS = {
  coldStorage: 'as its cold storage',
  logs: 'for its logs',
  workspace: 'as the workspace of its agents',
  sessions: 'for its sessions',
} as const

function endpointWords({ model, url }: Endpoint): string {
  const by = model === null ? '' : `by ${model} `
  return `${by}at ${url ?? 'the address of its provider'}`
}

/** The lines of the settings file that allow a store what it asks for; '' for nothing. They hold no more than that. */
export function allowLines(path: string, wishes: readonly Wish[]): string {
  if (wishes.length === 0) return ''
  const endpoints = (kind: 'summarizer' | 'embedder') => {
    const all = wishes.flatMap((wish) =>
      wish.kind === kind && 'endpoint' in wish ? [named(wish.endpoint)] : [],
    )
    return all.length === 0 ? {} : { [kind]: all.length === 1 ? all[0] : all }
  }
  const folders = [...new Set(wishes.flatMap((wish) => ('folder' in wish ? [wish.folder] : [])))]
  const allow = {
    ...endpoints('summarizer'),
    ...endpoints('embedder'),
    ...(wishes.some(({ kind }) => kind === 'sessionModel') ? { sessionModel: true } : {}),
    ...(folders.length === 0 ? {} : { folders }),
  }
  return stringify({ stores: [{ path, allow }] }, { lineWidth: 0 })
}

function named({ model, url }: Endpoint) {
  return { ...(model === null ? {} : { model }), ...(url === null ? {} : { url }) }
}
