import 'server-only'
import type { SessionDetail } from '../../db/queries/session-detail'
import { openPruneSource, type PruneSource, pruneSession } from '../../engine/pruning/prune-session'
import { SourceProblem } from '../../engine/read/source-problem'
import { type SessionPolicy, trialPolicy } from '../../view/policy/policy-trial'
import { type PruneKnobs, pruneKnobsSearch } from '../../view/pruning/prune-knobs'
import {
  coveredRow,
  PRUNE_PAGE_ROWS,
  type PruneTextPage,
  type PruneTextRow,
  type PruneView,
  prunePreviewView,
} from '../../view/pruning/prune-preview'
import { policyOf } from '../policy/session-policy'
import { remember } from '../process/remember'
import { getInspected, transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

type Preview = { readonly view: PruneView; readonly rows: readonly PruneTextRow[] }

/** Knobs move over one session at one call; what its messages say is read once. */
const sources = remember<string, Promise<PruneSource | null>>('prune-sources', 2)
/** The list of texts is read page by page from the preview that was made last. */
const previews = remember<string, Preview>('prune-previews', 2)

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

/**
 * One page of its texts, of one decision or of all, credentials covered; null when there is no such session or call.
 */
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
    rows: shown.map(coveredRow),
  }
}

async function previewOf(session: SessionDetail, knobs: PruneKnobs): Promise<Preview | null> {
  const source = await sourceFor(session, knobs.call)
  if (source === null) return null
  const inForce = await policyOf(session)
  const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
  // Ages go by the minute here: the pages of one list must belong together.
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const key = `${session.row} ${pruneKnobsSearch(knobs)} ${now} ${JSON.stringify(policy)}`
  return previews(key, session.revision, () =>
    prunePreviewView(source, pruneSession(source, policy, null, now)),
  )
}

function sourceFor(session: SessionDetail, call: number | null): Promise<PruneSource | null> {
  return sources(`${session.row} ${call ?? 'next'}`, session.revision, async () =>
    openPruneSource(transcriptPlace(session).reader, await getInspected(session), call ?? 'next'),
  )
}
