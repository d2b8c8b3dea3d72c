import type { PolicyPatch } from './policy'

/** A model and where it is asked. Null: nothing is said of it (no model; the provider's own address). */
export type Endpoint = { readonly model: string | null; readonly url: string | null }

/**
 * What the operator lets the files of one store decide besides numbers and switches. A store is data of others: what
 * its files name of models, addresses and folders counts only as far as it is listed here.
 */
export type StoreGrants = {
  readonly summarizers: readonly Endpoint[]
  readonly embedders: readonly Endpoint[]
  /** The model that a session runs on may be asked for its summaries. */
  readonly sessionModel: boolean
  /** Real paths of folders, by how a file of the store writes them. A folder that is missing here is not used. */
  readonly folders: { readonly [written: string]: string }
}

export const NO_GRANTS: StoreGrants = { summarizers: [], embedders: [], sessionModel: false, folders: {} }

/** Something that a file of a store names and that would act: a service is called, or a folder is used. */
export type Wish =
  | { readonly kind: 'summarizer' | 'embedder'; readonly endpoint: Endpoint }
  | { readonly kind: 'sessionModel' }
  | { readonly kind: 'coldStorage' | 'logs' | 'workspace' | 'sessions'; readonly folder: string }

/** Which values of the policy act, by what they are for. Workspaces and folders of sessions are in no policy. */
export const WISH_PATHS: { readonly [K in Wish['kind']]: readonly string[] } = {
  summarizer: ['summary.url', 'summary.model'],
  embedder: ['relevance.embedder.url', 'relevance.embedder.model'],
  sessionModel: ['summary.fallbackToMain'],
  coldStorage: ['coldStorage.path'],
  logs: ['logs.path'],
  workspace: [],
  sessions: [],
}

/** All that a patch names and that would act. */
export function wishesIn({ summary, relevance, coldStorage, logs }: PolicyPatch): Wish[] {
  const summarizer = endpointIn(summary)
  const embedder = endpointIn(relevance?.embedder)
  const wishes: (Wish | null)[] = [
    summarizer === null ? null : { kind: 'summarizer', endpoint: summarizer },
    embedder === null || isLocal(embedder) ? null : { kind: 'embedder', endpoint: embedder },
    summary?.fallbackToMain === true ? { kind: 'sessionModel' } : null,
    isNamed(coldStorage?.path) ? { kind: 'coldStorage', folder: coldStorage.path } : null,
    isNamed(logs?.path) ? { kind: 'logs', folder: logs.path } : null,
  ]
  return wishes.filter((wish) => wish !== null)
}

/** Whether the operator lets a store have it. */
export function isGranted(wish: Wish, grants: StoreGrants): boolean {
  switch (wish.kind) {
    case 'summarizer':
      return grants.summarizers.some((granted) => sameEndpoint(granted, wish.endpoint))
    case 'embedder':
      return grants.embedders.some((granted) => sameEndpoint(granted, wish.endpoint))
    case 'sessionModel':
      return grants.sessionModel
    default:
      return Object.hasOwn(grants.folders, wish.folder)
  }
}

/**
 * What counts of a patch from a file of a store: numbers, switches and names that cannot act as they are, models,
 * addresses and folders as far as they are granted. A folder becomes its real path.
 */
export function grantedPart(patch: PolicyPatch, grants: StoreGrants): PolicyPatch {
  const { summary, relevance, coldStorage, logs, ...rest } = patch
  return {
    ...rest,
    ...(summary === undefined ? {} : { summary: grantedSummary(summary, grants) }),
    ...(relevance === undefined ? {} : { relevance: grantedRelevance(relevance, grants) }),
    ...(coldStorage === undefined ? {} : { coldStorage: grantedFolder(coldStorage, grants) }),
    ...(logs === undefined ? {} : { logs: grantedFolder(logs, grants) }),
  }
}

function grantedSummary(
  summary: NonNullable<PolicyPatch['summary']>,
  grants: StoreGrants,
): NonNullable<PolicyPatch['summary']> {
  const { model: _model, url: _url, fallbackToMain, ...rest } = summary
  const endpoint = endpointIn(summary)
  // To ask fewer than the operator allows is no harm.
  const main = fallbackToMain === false || grants.sessionModel ? fallbackToMain : undefined
  return {
    ...rest,
    ...(main === undefined ? {} : { fallbackToMain: main }),
    ...(endpoint !== null && isGranted({ kind: 'summarizer', endpoint }, grants) ? valuesOf(endpoint) : {}),
  }
}

function grantedRelevance(
  relevance: NonNullable<PolicyPatch['relevance']>,
  grants: StoreGrants,
): NonNullable<PolicyPatch['relevance']> {
  const { embedder, ...rest } = relevance
  if (embedder === undefined) return relevance
  const { model: _model, url: _url, ...times } = embedder
  const endpoint = endpointIn(embedder)
  const counts = endpoint !== null && (isLocal(endpoint) || isGranted({ kind: 'embedder', endpoint }, grants))
  return { ...rest, embedder: { ...times, ...(counts ? valuesOf(endpoint) : {}) } }
}

function grantedFolder<G extends { readonly path?: string }>(group: G, grants: StoreGrants): Partial<G> {
  const { path, ...rest } = group
  const real = path !== undefined && Object.hasOwn(grants.folders, path) ? grants.folders[path] : undefined
  return { ...(rest as Partial<G>), ...(real === undefined ? {} : { path: real }) }
}

/** Model and address belong together: a model without one is asked at its provider's own. */
function valuesOf({ model, url }: Endpoint): { model?: string; url?: string } {
  return { ...(model === null ? {} : { model }), url: url ?? '' }
}

function endpointIn(group: { readonly model?: string; readonly url?: string } | undefined): Endpoint | null {
  const model = isNamed(group?.model) ? group.model : null
  const url = isNamed(group?.url) ? group.url : null
  return model === null && url === null ? null : { model, url }
}

function isNamed(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

/** Hashed vectors are worked out here; no server is asked. An address beside them would serve for another model. */
function isLocal({ model, url }: Endpoint): boolean {
  return url === null && /^hash\//i.test(String(model))
}

/** The same model at the same address; only slashes at the end of an address make no difference. */
export function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return a.model === b.model && trimmed(a.url) === trimmed(b.url)
}

function trimmed(url: string | null): string {
  return (url ?? '').replace(/\/+$/, '')
}
