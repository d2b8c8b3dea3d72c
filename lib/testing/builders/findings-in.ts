import type { ExaminedSession } from '../../core/findings/detector'
import type { SessionFinding } from '../../core/findings/finding'
import { SignFold, type SignSnapshot } from '../../core/findings/sign-fold'
import { NO_PRICES } from '../../core/tokens/own-prices'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { IndexEntry } from '../../core/transcript/session-index'
import { examinedSession } from '../../engine/findings/examined-session'
import { frameSetupOf } from '../../engine/read/frame-setup'
import type { StoreKind } from '../../engine/read/ports'

/** A session for detectors: what its store says of it. */
export type FindingsOf = {
  readonly kind?: StoreKind
  readonly index?: IndexEntry | null
  readonly windows?: { readonly [model: string]: number }
  readonly key?: string | null
  readonly state?: 'live' | 'reset'
  readonly lineOf?: ExaminedSession['lineOf']
  readonly now?: number
  /** After so many entries, or after each, the signs are written down and read again. */
  readonly pause?: number | 'each'
}

/** What the detectors find in the entries of a transcript. */
export function findingsIn(facts: readonly EntryFact[], of: FindingsOf = {}): SessionFinding[] {
  const { kind = 'openclaw', index = null, windows, key = null, state = 'live', pause } = of
  const transcript = {
    id: 't1',
    sessionId: 's1',
    agent: 'main',
    ...{ key, state, index },
    ...(windows === undefined ? {} : { windows }),
  }
  const store = { id: 'st1', kind }
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  let signs = SignFold.start(NO_PRICES)
  facts.forEach((fact, i) => {
    if (pause === 'each' || i === pause) signs = again(signs)
    // Marks are taken away, and the same entries may be examined again.
    const own = { ...fact }
    signs.push(own, fold.push(own))
  })
  return signs.end(examinedSession(store, transcript, fold, of.lineOf ?? (() => null), of.now ?? null))
}

/** The only finding of a kind; null: there is none. */
export function foundKind(
  facts: readonly EntryFact[],
  kind: string,
  of: FindingsOf = {},
): SessionFinding | null {
  const found = findingsIn(facts, of).filter((finding) => finding.kind === kind)
  if (found.length > 1) throw new Error(`${kind} was found ${found.length} times`)
  return found[0] ?? null
}

function again(signs: SignFold): SignFold {
  const saved: SignSnapshot = JSON.parse(JSON.stringify(signs.snapshot()))
  const resumed = SignFold.resume(NO_PRICES, saved)
  if (resumed === null) throw new Error('The snapshot is of another version')
  return resumed
}
