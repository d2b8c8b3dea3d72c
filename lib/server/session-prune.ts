import 'server-only'
import { maskSecrets } from '../core/redaction/secrets'
import type { SessionDetail } from '../db/queries/session-detail'
import { openPruneSource, type PruneSource, pruneSession } from '../engine/prune-session'
import { SourceProblem } from '../engine/source-problem'
import { type SessionPolicy, trialPolicy } from '../view/policy-trial'
import { type PruneKnobs, pruneKnobsSearch } from '../view/prune-knobs'
import {
  PRUNE_PAGE_ROWS,
  type PruneTextPage,
  type PruneTextRow,
  type PruneView,
  prunePreviewView,
} from '../view/prune-preview'
import { getInspected, placeOf } from './inspected-session'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { policyOf } from './session-policy'
import { getSession } from './session-record'

type KeptSource = { readonly revision: number; readonly source: Promise<PruneSource | null> }
type Preview = { readonly view: PruneView; readonly rows: readonly PruneTextRow[] }

/** Knobs move over one session at one call; what its messages say is read once. */
const sources = oncePerProcess('prune-sources', () => new RecentlyUsed<string, KeptSource>(2))
/** The list of texts is read page by page from the preview that was made last. */
const previews = oncePerProcess('prune-previews', () => new RecentlyUsed<string, Preview>(2))

export type PruneTab =
  | {
      readonly kind: 'tab'
      readonly view: PruneView
      readonly policy: SessionPolicy
      /** As asked for, without a call that does not exist. */
      readonly knobs: PruneKnobs
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** What the Pruning tab first shows; null when there is no such session. */
export async function getPruneTab(id: string, asked: PruneKnobs): Promise<PruneTab | null> {
  const session = await getSession(id)
  if (session === null) return null
  try {
    const knobs = asked.call !== null && asked.call > session.calls ? { ...asked, call: null } : asked
    const preview = await previewOf(session, knobs)
    const policy = await policyOf(session)
    return preview === null ? null : { kind: 'tab', view: preview.view, policy, knobs }
  } catch (error) {
    if (error instanceof SourceProblem) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}

/** What rules of pruning would take out; null when there is no such session or call. Nothing is written. */
export async function getPrune(id: string, knobs: PruneKnobs): Promise<PruneView | null> {
  const session = await getSession(id)
  return session === null ? null : ((await previewOf(session, knobs))?.view ?? null)
}

/** One page of its texts, of one fate or of all, credentials covered; null when there is no such session or call. */
export async function getPruneTexts(
  id: string,
  knobs: PruneKnobs,
  { action, page }: { readonly action: PruneTextRow['action'] | null; readonly page: number },
): Promise<PruneTextPage | null> {
  const session = await getSession(id)
  const preview = session === null ? null : await previewOf(session, knobs)
  if (preview === null) return null
  const rows = action === null ? preview.rows : preview.rows.filter((row) => row.action === action)
  const shown = rows.slice(page * PRUNE_PAGE_ROWS, (page + 1) * PRUNE_PAGE_ROWS)
  return {
    total: rows.length,
    rows: shown.map((row) => (row.preview === null ? row : { ...row, preview: maskSecrets(row.preview) })),
  }
}

async function previewOf(session: SessionDetail, knobs: PruneKnobs): Promise<Preview | null> {
  const source = await sourceFor(session, knobs.call)
  if (source === null) return null
  const inForce = await policyOf(session)
  const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
  // Ages go by the minute here: the pages of one list must belong together.
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const key = `${session.row} ${session.revision} ${pruneKnobsSearch(knobs)} ${now} ${JSON.stringify(policy)}`
  const known = previews.get(key)
  if (known !== undefined) return known
  const preview = prunePreviewView(source, pruneSession(source, policy, null, now))
  previews.set(key, preview)
  return preview
}

function sourceFor(session: SessionDetail, call: number | null): Promise<PruneSource | null> {
  const key = `${session.row} ${call ?? 'next'}`
  const known = sources.get(key)
  if (known?.revision === session.revision) return known.source
  const { reader } = placeOf(session)
  const source = getInspected(session).then((inspected) => openPruneSource(reader, inspected, call ?? 'next'))
  const fresh = { revision: session.revision, source }
  sources.set(key, fresh)
  source.catch(() => {
    if (sources.get(key) === fresh) sources.delete(key)
  })
  return source
}
