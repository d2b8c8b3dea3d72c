import { MEASURE_NAMES, type MeasureName } from '../../core/findings/effect/measures'
import type { Milliseconds } from '../../core/units/units'
import type { Receipt, ReceiptProof } from '../write/receipt'
import type { Receipts } from '../write/write-ports'
import type { SettingPlan } from './plan-remedy'
import { type PromisedEffect, promisedIn } from './promised-effect'

/** A setting that was applied for a finding, as its receipt has it: what is watched from then on. */
export type WatchedRemedy = {
  readonly receipt: string
  readonly at: Milliseconds
  /** When it was taken back; null: it is in force, as far as we know. */
  readonly undoneAt: Milliseconds | null
  readonly finding: string
  readonly kind: string
  readonly file: string
  readonly key: string
  readonly from: Receipt['summary'][string]
  readonly to: Receipt['summary'][string]
  readonly storeId: string
  /** The session of the finding, as addresses carry it; null: the receipt does not name it. */
  readonly session: string | null
  /** Whose calls are compared; null: all of the store. */
  readonly agent: string | null
  readonly model: string | null
  /** null: what the finding is about shows in no call. */
  readonly measure: MeasureName | null
  /** What a replay said that it would do; null: none was made. */
  readonly foreseen: PromisedEffect | null
}

type AppliedChange = {
  readonly key: string
  readonly from: unknown
  readonly to: string | number | boolean
}

/** What a receipt says so that the effect can be measured later. */
export function watchSummary(
  { finding, store, key, from, to }: Pick<SettingPlan, 'finding' | 'store'> & AppliedChange,
  measure: MeasureName | null,
): Receipt['summary'] {
  const isPlain = typeof from === 'string' || typeof from === 'number' || typeof from === 'boolean'
  return {
    finding: finding.id,
    findingKind: finding.kind,
    key,
    from: isPlain ? from : null,
    to,
    storeId: store.id,
    session: finding.concerns.transcriptId,
    agent: finding.concerns.agent,
    model: finding.concerns.model,
    measure,
  }
}

/** Settings that were applied for findings, newest first. Receipts that prove nothing are left out. */
export async function watchedRemedies(receipts: Receipts): Promise<readonly WatchedRemedy[]> {
  const watched: WatchedRemedy[] = []
  for (const id of await receipts.ids()) {
    // One that cannot be read says nothing that could be compared.
    const read = await receipts.read(id).catch(() => null)
    if (read === null) continue
    const { receipt, proof } = read
    if (!isApplied(receipt, proof)) continue
    const undo = receipt.undoneBy === null ? null : await receipts.get(receipt.undoneBy).catch(() => null)
    watched.push(watchedOf(receipt, undo?.at ?? (receipt.state === 'undone' ? receipt.at : null)))
  }
  return watched
}

function isApplied({ kind, state }: Receipt, proof: ReceiptProof): boolean {
  return kind === 'setting' && (state === 'done' || state === 'undone') && proof.kind === 'proved'
}

function watchedOf({ id, at, files, summary }: Receipt, undoneAt: Milliseconds | null): WatchedRemedy {
  const text = (name: string) => (typeof summary[name] === 'string' ? summary[name] : null)
  return {
    ...{ receipt: id, at, undoneAt },
    finding: text('finding') ?? '',
    kind: text('findingKind') ?? '',
    file: files[0]?.path ?? '',
    key: text('key') ?? '',
    from: summary.from ?? null,
    to: summary.to ?? null,
    storeId: text('storeId') ?? '',
    session: text('session'),
    agent: text('agent'),
    model: text('model'),
    measure: MEASURE_NAMES.find((name) => name === summary.measure) ?? null,
    foreseen: promisedIn(summary),
  }
}
