import 'server-only'
import { openRecall } from '../../compose/memory'
import { policyWindow } from '../../core/budget/guard'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits } from '../../core/tokens/estimate'
import { readMessages } from '../../engine/compaction/summary-material'
import { type MemorySearch, recallFor } from '../../engine/knowledge/recall'
import type { RecallLibrary } from '../../engine/knowledge/recall-library'
import { sessionSource } from '../../engine/knowledge/recall-places'
import { type RecallPreview, recallPreview } from '../../view/session/recall-preview'
import { policyOf } from '../policy/session-policy'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'
import { getInspected, transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

/** One index per process and place of cold storage: reading it takes seconds where there is much. */
const libraries = oncePerProcess('recall', () => new Map<string, Promise<RecallLibrary>>())

/**
 * What would be recalled for a session now: for the words given, else for what its user said last. Nothing is noted or
 * sent. null when there is no such session.
 */
export async function getSessionRecall(id: string, asked: string): Promise<RecallPreview | null> {
  const session = await getSession(id)
  if (session === null) return null
  const { policy } = await policyOf(session)
  const prompt = asked.trim() === '' ? await lastAsk(session) : asked
  const library = await libraryFor(policy)
  const { sources, pieces } = await library.refresh()
  const index = session.window === null ? null : { tokens: session.window, model: session.model }
  const window = policyWindow(policy, { index }, session.model)
  // What the session has said is in its own window.
  const own = new Set([sessionSource(id)])
  const memory: MemorySearch = {
    refresh: () => library.refresh(),
    search: (words, limit, origins) => library.search(words, limit, origins, own),
  }
  const shown = { ...policy, semantic: { ...policy.semantic, enabled: true } }
  const recalled = await recallFor(prompt, {
    policy: shown,
    window: window.tokens,
    memory,
    sizeOf: estimateUnits,
  })
  return recallPreview(prompt, recalled, policy.semantic, {
    sources,
    pieces,
    isIndexing: library.progress !== null,
    assumedWindow: window.source === 'default' ? window.tokens : null,
  })
}

async function lastAsk(session: NonNullable<Awaited<ReturnType<typeof getSession>>>): Promise<string> {
  const inspected = await getInspected(session)
  const fact = inspected.facts.findLast(({ role }) => role === 'user')
  if (fact === undefined) return ''
  const texts = await readMessages(transcriptPlace(session).reader, { session: inspected }, [fact])
  return texts.get(fact.seq)?.text ?? ''
}

function libraryFor(policy: Policy): Promise<RecallLibrary> {
  const setup = getSetup()
  const key = JSON.stringify([policy.coldStorage.path, setup.settings.workspaces, setup.environment.home])
  const known = libraries.get(key)
  if (known !== undefined) return known
  const opening = openRecall(setup, process.env, [policy])
  libraries.set(key, opening)
  opening.catch(() => libraries.delete(key))
  return opening
}
