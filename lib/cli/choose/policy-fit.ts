import { joinFits, type PolicyFit } from '../../core/compaction/policy-fit'
import { inspectSession } from '../../engine/read/inspect-session'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import { fitOfSession } from '../../engine/read/session-fit'
import { explanationWords, REASON_WORDS } from '../../view/policy/fit-words'
import type { Io } from '../io'
import { timeJson } from '../print/figure-json'
import type { ListedTranscript } from './choose-session'
import { runtimeOfStore } from './chosen-policy'
import type { Sources } from './sources'

/** Copies of a transcript hold its compactions a second time. */
const COPIES: readonly FoundTranscript['state'][] = ['backup', 'checkpoint', 'imported']

type StoreFit = { readonly store: FoundStore; readonly fit: PolicyFit; readonly unread: number }

/**
 * How well what the runtimes do explains the recorded compactions, for one session and for each store. Transcripts are
 * searched without their content first; only those with a compaction are read in full.
 */
export async function policyFits(io: Io, sources: Sources, chosen: ListedTranscript) {
  const all = await sources.listAll()
  const isListed = all.some(({ transcript }) => transcript.id === chosen.transcript.id)
  const listed = (isListed ? all : [...all, chosen]).filter(
    ({ transcript }) =>
      transcript.id === chosen.transcript.id ||
      (transcript.problem === undefined && !COPIES.includes(transcript.state)),
  )
  const places = new Map(listed.map(({ store }) => [store.id, store]))
  const stores: StoreFit[] = []
  let ofSession: PolicyFit | null = null
  for (const store of places.values()) {
    const runtime = await runtimeOfStore(io, sources.stores, store)
    const fits: PolicyFit[] = []
    let unread = 0
    for (const { transcript } of listed.filter((one) => one.store.id === store.id)) {
      try {
        const isChosen = transcript.id === chosen.transcript.id
        if (!isChosen && !(await wasCompacted(sources, store, transcript))) continue
        const fit = fitOfSession(await inspectSession(sources.reader, store, transcript), runtime)
        if (isChosen) ofSession = fit
        fits.push(fit)
      } catch {
        unread += 1
      }
    }
    stores.push({ store, fit: joinFits(fits), unread })
  }
  return {
    session: ofSession === null ? null : fitJson(ofSession),
    stores: stores.map(({ store, fit, unread }) => ({
      store: store.root,
      era: store.era,
      ...fitJson(fit),
      // Sessions that could not be read; what they hold is in no figure.
      unreadSessions: unread,
    })),
  }
}

async function wasCompacted(
  { outline }: Sources,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<boolean> {
  for await (const { facts } of outline.read(store, transcript, null, () => undefined))
    if (facts.some(({ type }) => type === 'compaction')) return true
  return false
}

function fitJson({ others, ...counts }: PolicyFit) {
  return {
    ...counts,
    others: others.map(
      ({ at, line, entryId, afterCall, explanation: { line: runtimeLine, ...explanation } }) => ({
        // Of its file; the line that the runtime compares with is another one.
        line,
        entryId,
        afterCall,
        at: timeJson(at),
        runtimeLine,
        ...explanation,
        reasonWords: explanation.reason === null ? null : REASON_WORDS[explanation.reason],
        why: explanationWords({ ...explanation, line: runtimeLine }),
      }),
    ),
  }
}
